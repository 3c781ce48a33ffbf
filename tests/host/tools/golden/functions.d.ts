declare module "gg:tools" {
  /** Python functions. */
  export namespace local {
    type SearchArgs = {
      /**
       * What to look for,
       * word by word.
       */
      query: string;
      /**
       * How many at most.
       * Minimum: 1. Maximum: 100. Default: 10.
       */
      limit?: number;
    };

    /**
     * Finds texts.
     *
     * Looks everywhere.
     *
     * Returns: The texts.
     * Raises ValueError: for a query that is empty.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function search(args: SearchArgs): Promise<string[]>;

    type GreetArgs = { user: GreetArgsUser };

    /** Who somebody is. */
    type GreetArgsUser = {
      name: string;
      /** Default: []. */
      friends?: GreetArgsUser[];
    };

    /** Who somebody is. */
    type GreetResult = { name: string; friends: GreetResult[] };

    /**
     * Greets.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function greet(args: GreetArgs): Promise<GreetResult>;

    type EverythingArgs = {
      color: EverythingArgsColor;
      point: EverythingArgsPoint;
      options: EverythingArgsOptions;
      mode: "r" | "w";
      /** Format: date-time. */
      when: string;
      amount: number | string;
      /** Format: base64url. */
      data: string;
      /** Format: path. */
      path: string;
      names: string[];
      pair: [number, string];
      counts: { [key: string]: number };
      maybe: number | null;
    };

    type EverythingArgsColor = "red" | "green";

    type EverythingArgsPoint = {
      x: number;
      /** Default: 0.5. */
      y?: number;
    };

    type EverythingArgsOptions = { deep?: boolean };

    /**
     * No description.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function everything(args: EverythingArgs): Promise<{ [key: string]: unknown }>;

    type LabelledArgs = { name: string; [key: string]: number | string };

    /**
     * No description.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function labelled(args: LabelledArgs): Promise<{ [key: string]: number }>;

    type OddNamesArgs = {
      schema: string;
      copy: string;
      model_config: string;
      _hidden: string;
      self_: string;
      /** Default: "j". */
      json?: string;
    };

    /**
     * No description.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function oddNames(args: OddNamesArgs): Promise<string[]>;

    type UntypedResultArgs = { value: unknown };

    /**
     * No description.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function untypedResult(args: UntypedResultArgs): Promise<unknown>;

    /**
     * Does nothing.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function nothing(): Promise<null>;

    type AddArgs = {
      /** Default: 1. */
      by?: number;
    };

    /**
     * Adds to the count.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function add(args?: AddArgs): Promise<number>;

    type SoonerArgs = { value: number };

    /**
     * Is async without saying so.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 2.5 s, or its result is too large.
     */
    function sooner(args: SoonerArgs): Promise<number>;
  }
}

declare module "gg:tools" {
  /** A repository. */
  export namespace git {
    type GitStatusArgs = {
      /** Where the repository is. */
      repo_path: string;
      /** Minimum: 1. Default: 3. */
      depth?: number;
    };

    /**
     * Shows the status.
     *
     * As `git status` does; it ends no comment *\/.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 30 s, or its result is too large.
     */
    function gitStatus(args: GitStatusArgs): Promise<string>;

    type GitLogArgs = { most?: number };

    type GitLogResult = { commits: GitLogResultCommit[] };

    /** A commit. */
    type GitLogResultCommit = { id: string; parents?: GitLogResultCommit[] };

    /**
     * No description.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 30 s, or its result is too large.
     */
    function gitLog(args?: GitLogArgs): Promise<GitLogResult>;

    /**
     * Makes a repository.
     * Fails with `invalid-argument` when the arguments are not what it takes.
     * Fails with `refused` when a rule or a person forbids the call.
     * Fails with `io-error` when the tool fails; the message says how.
     * Fails with `limit-exceeded` when it takes more than 30 s, or its result is too large.
     */
    function init(): Promise<string>;
  }

  /** Nothing yet. */
  export namespace none {
  }
}

/**
 * The tools of the agent, which differ from agent to agent: their names come with the program. Each call gives a
 * promise, so that several may be at work at once.
 */
import { later, register } from "./core";

const { defineProperty, freeze } = Object;

/** The members of a namespace: by what name programs call each, and its operation. */
type Members = readonly (readonly [identifier: string, operation: string])[];
type Namespace = { readonly [identifier: string]: (args?: unknown) => Promise<unknown> };

/** The namespaces by name. Neither they nor the object of them have a prototype, so no name is taken. */
export function namespaces(
  table: readonly (readonly [name: string, members: Members])[],
): { readonly [name: string]: Namespace } {
  const all: { [name: string]: Namespace } = { __proto__: null } as any;
  for (let i = 0; i < table.length; i++) {
    const name = table[i]![0];
    all[name] = namespace(name, table[i]![1]);
    register("tools." + name, all[name]!);
  }
  if (table.length) register("tools", all);
  return freeze(all);
}

function namespace(name: string, members: Members): Namespace {
  const made: { [identifier: string]: (args?: unknown) => Promise<unknown> } = { __proto__: null } as any;
  for (let i = 0; i < members.length; i++) {
    const identifier = members[i]![0];
    const operation = members[i]![1];
    const spelled = name + "." + identifier;
    const call = (args?: unknown) => later(operation, [args], spelled);
    made[identifier] = defineProperty(call, "name", { __proto__: null, value: identifier } as PropertyDescriptor);
  }
  return freeze(made);
}

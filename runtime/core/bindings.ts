/** What a run is bound to from its start (DESIGN.md section 7). Every field is a plain text, compared whole. */
export interface Bindings {
  readonly release: string;
  readonly input: string;
  readonly variables: string;
  readonly sdk: string;
  readonly node: string;
  readonly engine: string;
}
const bindingNames = ['release', 'input', 'variables', 'sdk', 'node', 'engine'] as const;
type BindingName = (typeof bindingNames)[number];

export interface BindingChange {
  readonly binding: BindingName;
  readonly recorded: string;
  readonly found: string;
}

/** The bindings that differ, in the order of `bindingNames`; empty when the run may recover under `found`. */
export function changedBindings(recorded: Bindings, found: Bindings): BindingChange[] {
  return bindingNames
    .filter((name) => recorded[name] !== found[name])
    .map((name) => ({ binding: name, recorded: recorded[name], found: found[name] }));
}

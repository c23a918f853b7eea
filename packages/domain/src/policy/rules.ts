import { checkPolicySet, type ParsedPolicy } from '@gateway/access';

/** What an installation changed, in numbers of policies. */
export interface PolicyCounts {
  readonly policies: number;
  readonly added: number;
  readonly removed: number;
}

/** Why policies do not fit with those in force. It names none of those but the names that were handed in. */
export interface Unfit {
  readonly names: readonly string[];
  readonly sentence: string;
}

/** The policies of a text in force; none where it can no longer be read. */
function policiesOf(text: string): readonly ParsedPolicy[] {
  const read = checkPolicySet(text);
  return read.ok ? read.policies : [];
}

/** The names of the policies of a text. */
export const policyNames = (text: string): readonly string[] => policiesOf(text).map(({ name }) => name);

/** The text in force with more policies after it, both already judged by themselves. */
export function appendPolicies(inForce: string, cedar: string): { readonly text: string } | { readonly unfit: Unfit } {
  const annotated = (text: string) =>
    policiesOf(text).flatMap(({ name, tree }) => (tree.annotations?.id ? [name] : []));
  const before = new Set(annotated(inForce));
  const names = annotated(cedar).filter((name) => before.has(name));
  if (names.length > 0) {
    const list = names.map((name) => JSON.stringify(name)).join(', ');
    return { unfit: { names, sentence: `has a name (@id) that is in force already: ${list}` } };
  }
  const text = inForce.trim() === '' ? cedar : `${inForce.trimEnd()}\n\n${cedar}`;
  // The faults would quote the policies in force.
  if (!checkPolicySet(inForce).ok || !checkPolicySet(text).ok) {
    return {
      unfit: { names: [], sentence: 'the policies do not fit with those in force: ask an auditor, or replace them' },
    };
  }
  return { text };
}

/** Compares two texts policy by policy. */
export function changeOf(before: string, after: string): PolicyCounts {
  const [old, now] = [policiesOf(before), policiesOf(after)].map((set) => set.map(({ text }) => text.trim()));
  const without = (list: readonly string[] = [], others: readonly string[] = []): number => {
    const left = [...others];
    return list.filter((text) => {
      const at = left.indexOf(text);
      if (at !== -1) left.splice(at, 1);
      return at === -1;
    }).length;
  };
  return { policies: now?.length ?? 0, added: without(now, old), removed: without(old, now) };
}

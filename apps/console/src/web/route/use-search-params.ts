import { useDisclosure } from '@mantine/hooks';
import { useEffect } from 'react';
import { fromTheFirstPage, useRoute } from './use-route.ts';

/** The parameters of a list or a sum, from the address; an invalid one counts as absent. */
export function useSearchParams<Name extends string>(readers: Readonly<Record<Name, ParamReader>>) {
  const { route, setParams } = useRoute();
  const values: Partial<Record<Name, string>> = {};
  for (const [name, isUsable] of Object.entries(readers) as [Name, ParamReader][]) {
    const value = route.params.get(name);
    if (value !== undefined && isUsable(value)) values[name] = value;
  }
  return {
    values: values as Readonly<Partial<Record<Name, string>>>,
    /** Takes every choice away. */
    clear: () =>
      setParams(Object.fromEntries(Object.keys(readers).map((name) => [name, null])), { within: fromTheFirstPage }),
    /** Several choices at once, which the back button undoes as one. */
    setAll: (changes: Readonly<Partial<Record<Name, string | null>>>) =>
      setParams(changes as Readonly<Record<string, string | null>>, { within: fromTheFirstPage }),
    /** Another choice begins at the first page of its list. */
    set: (name: Name, value: string | null, replace = false) =>
      setParams({ [name]: value }, { replace, within: fromTheFirstPage }),
  };
}

/**
 * A dialog that an address opens by its name: `#users?open=user`. Once opened, the name is removed from the address: it is a
 * command, not a location to return to.
 */
export function useOpened(name: string): readonly [boolean, { readonly open: () => void; readonly close: () => void }] {
  const [opened, { open, close }] = useDisclosure(false);
  const { route, setParams } = useRoute();
  const isAsked = route.params.get('open') === name;
  useEffect(() => {
    if (!isAsked) return;
    open();
    setParams({ open: null }, { replace: true });
    // `open` and `setParams` change at every render, and always do the same.
  }, [isAsked]);
  return [opened, { open, close }];
}

/** Whether a word of the address is one that a page can use; any other counts as absent. */
export type ParamReader = (value: string) => boolean;

/** The most characters of a text that is searched for (the API's own limit of a search). */
export const LONGEST_TEXT = 200;

/**
 * Forms of keys and passwords: of this product, of engines and forges, of clouds, tokens and private keys. Such input is not
 * searched for: a browser stores and shows the address, and proxies log a query.
 */
const KEY =
  /gwk_|\bsk-[\w-]{16}|\bgh[opsru]_\w{16}|github_pat_|glpat-|\bxox[abeprs]-|\b(AKIA|ASIA)[0-9A-Z]{12}|\bAIza[\w-]{20}|\beyJ[\w-]{8,}\.|PRIVATE KEY|^(Bearer|Basic) \S{8}/;
export const looksLikeKey = (value: string): boolean => KEY.test(value);

export const text: ParamReader = (value) => value.length <= LONGEST_TEXT && !looksLikeKey(value);

export const oneOf =
  (values: readonly string[]): ParamReader =>
  (value) =>
    values.includes(value);

/** A number of an entry. */
export const whole: ParamReader = (value) => /^\d{1,15}$/.test(value);

/** The id of an entry. */
export const identifier: ParamReader = (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value);

/** A minute in UTC, `2026-01-31T08:00:00Z`. */
export const minute: ParamReader = (value) => {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:00Z$/.test(value) || value.startsWith('0000')) return false;
  const read = new Date(value);
  // A day that no month has is another day once it is read.
  return !Number.isNaN(read.getTime()) && read.toISOString() === value.replace('Z', '.000Z');
};

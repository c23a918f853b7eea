import type { ParamReader } from './param-readers.ts';
import { fromTheFirstPage } from './route.ts';
import { useRoute } from './use-route.ts';

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

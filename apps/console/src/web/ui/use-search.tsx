import type { ReactNode } from 'react';
import { text } from '../route/param-readers.ts';
import { useSearchParams } from '../route/use-search-params.ts';
import { SearchField } from './search-field.tsx';

/**
 * What a list is searched for, which is part of the address, and the field it is typed into.
 * @param label what the field is called
 * @param findsKeys whether the end of a key is looked for too
 */
export function useSearch(label: string, findsKeys = false): { readonly search: string; readonly field: ReactNode } {
  const { values, set } = useSearchParams({ search: text });
  const search = values.search ?? '';
  return {
    search,
    field: (
      <SearchField
        label={label}
        placeholder={findsKeys ? 'Name, or last characters of a key' : 'Search'}
        findsKeys={findsKeys}
        w={findsKeys ? 270 : undefined}
        searchText={search}
        onSearch={(searchText, again) => set('search', searchText, again)}
      />
    ),
  };
}

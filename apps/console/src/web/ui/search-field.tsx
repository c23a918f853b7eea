import { Button, Menu, TextInput, type TextInputProps } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type Filters, listPath } from '../api/list.ts';
import { LONGEST_TEXT, looksLikeKey, text, useSearchParams } from '../route/use-search-params.ts';

const PAUSE_MILLISECONDS = 300;

export interface SearchFieldProps extends Omit<TextInputProps, 'value' | 'onChange' | 'error'> {
  readonly label: string;
  /** With several fields, a label is above each: typed text hides a placeholder. */
  readonly isLabelShown?: boolean;
  /** The search also matches the end of a key. */
  readonly findsKeys?: boolean;
  /** The current search text. */
  readonly searchText: string;
  /** Searches for another text. With `again`, it continues from the text typed just before. */
  readonly onSearch: (text: string, again: boolean) => void;
}

/** A text that is searched for once the typing pauses. The back button brings the one before it; a key is not searched for. */
export function SearchField({
  label,
  isLabelShown = false,
  findsKeys = false,
  searchText,
  onSearch,
  ...look
}: SearchFieldProps) {
  const [typed, setTyped] = useState(searchText);
  const last = useRef(searchText);
  const goesOn = useRef(false);
  // The address was changed by the back button or a link: show its search text, and discard the typed one.
  useEffect(() => {
    if (searchText === last.current) return;
    last.current = searchText;
    goesOn.current = false;
    setTyped(searchText);
  }, [searchText]);
  const text = typed.trim();
  const isKey = looksLikeKey(text);
  useEffect(() => {
    if (text === last.current || isKey) return undefined;
    const settled = setTimeout(() => {
      last.current = text;
      onSearch(text, goesOn.current);
      goesOn.current = true;
    }, PAUSE_MILLISECONDS);
    return () => clearTimeout(settled);
    // `onSearch` is another function at every drawing, and does the same.
  }, [text, isKey]);
  return (
    <TextInput
      {...(isLabelShown ? { label } : { placeholder: label, 'aria-label': label })}
      maxLength={LONGEST_TEXT}
      {...look}
      value={typed}
      error={isKey && `Looks like a key: not searched for.${findsKeys ? ' Its last four characters are enough.' : ''}`}
      onChange={({ currentTarget: { value } }) => setTyped(value)}
      onBlur={() => {
        goesOn.current = false;
      }}
    />
  );
}

/** The same rows as files, streamed by the console: everything the filters choose, not only what is shown. */
export function ExportLinks({ path, filters, size = 'xs' }: { path: string; filters: Filters; size?: 'xs' | 'sm' }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size={size} variant="default">
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={listPath(path, { ...filters, format: 'csv' })} download>
          CSV
        </Menu.Item>
        <Menu.Item component="a" href={listPath(path, { ...filters, format: 'jsonl' })} download>
          JSON Lines
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

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

import { legible } from '@gateway/contract/legible';
import { Button, Group, type OptionsFilter, Select, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Filters, useList } from '../../api/list.ts';
import { useMay } from '../../api/queries.ts';
import { minute, oneOf, type ParamReader, text, useSearchParams } from '../../route/use-search-params.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Clamped, ClampedLink } from '../../ui/named.tsx';
import { many } from '../../ui/numbers.ts';
import { ExportLinks, SearchField } from '../../ui/search-field.tsx';
import { Section } from '../../ui/section.tsx';
import { Time } from '../../ui/time.tsx';

const BOUNDS = { from: 'From', until: 'Until' } as const;

/** One of a few values: the label of the choice, its placeholder, and the values. */
interface Choice {
  readonly label: string;
  readonly none: string;
  readonly of: readonly string[];
  /** What a value is called, where the log has an identifier. Then other values of the address count too: logs outlive versions. */
  readonly nameOf?: (value: string) => string;
}

/** Finds a value by what it is called, and by its identifier, which manuals and other programs have. */
const byBoth: OptionsFilter = ({ options, search }) => {
  const sought = search.trim().toLowerCase();
  return options.filter((one) => 'value' in one && `${one.label} ${one.value}`.toLowerCase().includes(sought));
};

/** The values to choose from, with the chosen one. */
function optionsOf({ of, nameOf = (value) => value }: Choice, chosen: string | undefined) {
  const values = chosen === undefined || of.includes(chosen) ? of : [chosen, ...of];
  return { ...many(values.map((value) => ({ value, label: nameOf(value) }))), filter: byBoth };
}

interface FilterBarOptions {
  /** Texts that are searched for, by name. */
  readonly texts?: Readonly<Record<string, string>>;
  /** Those of the texts that match a part of a value; the others match all of it. */
  readonly parts?: readonly string[];
  readonly choices?: Readonly<Record<string, Choice>>;
  readonly period?: boolean;
  /** Words of the address that choose too and have no field: a link to one entry. */
  readonly hidden?: Readonly<Record<string, ParamReader>>;
}

function readersOf({
  texts = {},
  choices = {},
  period = false,
  hidden = {},
}: FilterBarOptions): Record<string, ParamReader> {
  return {
    ...Object.fromEntries(Object.keys(texts).map((name) => [name, text])),
    ...Object.fromEntries(Object.entries(choices).map(([name, { of, nameOf }]) => [name, nameOf ? text : oneOf(of)])),
    ...hidden,
    ...(period ? { from: minute, until: minute } : {}),
  };
}

/** Filters of a list by text, by choice and by period (UTC), stored in the address. */
function useFilterBar(options: FilterBarOptions): {
  filters: Filters;
  bar: ReactNode;
  /** Shown instead of an empty list: no match, with a reset button, or why there are no entries yet. */
  empty: (nothing: string, next: string) => ReactNode;
} {
  const { values: filters, set, clear } = useSearchParams(readersOf(options));
  return {
    filters,
    empty: (nothing, next) =>
      Object.keys(filters).length > 0 ? (
        <>
          <Text size="sm">Nothing matches these filters.</Text>
          <Button variant="light" onClick={clear}>
            Clear the filters
          </Button>
        </>
      ) : (
        <>
          <Text fw={600}>{nothing}</Text>
          <Text size="sm" c="dimmed">
            {next}
          </Text>
        </>
      ),
    bar: (
      <Group gap="xs" role="search" align="flex-end">
        {Object.entries(options.texts ?? {}).map(([name, label]) => (
          <SearchField
            key={name}
            size="xs"
            style={{ flex: '1 1 110px', maxWidth: 200 }}
            label={label}
            isLabelShown
            searchText={filters[name] ?? ''}
            onSearch={(searchText, again) => set(name, searchText, again)}
          />
        ))}
        {Object.entries(options.choices ?? {}).map(([name, choice]) => (
          <Select
            key={name}
            size="xs"
            w={150}
            clearable
            label={choice.label}
            placeholder={choice.none}
            {...optionsOf(choice, filters[name])}
            value={filters[name] ?? null}
            onChange={(value) => set(name, value)}
          />
        ))}
        {options.period === true &&
          Object.entries(BOUNDS).map(([name, label]) => (
            <TextInput
              key={name}
              size="xs"
              type="datetime-local"
              max="9999-12-31T23:59"
              style={{ flex: '1 1 170px', maxWidth: 200 }}
              label={`${label} (UTC)`}
              value={(filters[name] ?? '').replace(/:00Z$/, '')}
              onChange={({ currentTarget: { value } }) => set(name, value === '' ? null : `${value}:00Z`)}
            />
          ))}
        {Object.keys(options.hidden ?? {}).some((name) => filters[name] !== undefined) && (
          <Button size="xs" variant="light" onClick={clear}>
            One entry: show all
          </Button>
        )}
      </Group>
    ),
  };
}

/** The parameters for the API: these texts match a part. */
const inPart = (filters: Filters, names: readonly string[]): Filters =>
  Object.fromEntries(
    Object.entries(filters).map(([name, text]) => [names.includes(name) ? `${name}Part` : name, text]),
  );

export interface LogListProps<Row> {
  readonly title: string;
  readonly about: string;
  /** The list of the API, and the member of its answer that has the rows. */
  readonly path: string;
  readonly member: string;
  readonly filterBy: FilterBarOptions;
  /** Whether the rows can be saved as CSV and JSON Lines. */
  readonly isExported?: boolean;
  /** Beside the title, and above the filters. */
  readonly actions?: ReactNode;
  readonly presets?: ReactNode;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** Of the table, as in `DataTable`. */
  readonly usual: string;
  readonly minWidth: number;
  /** Shown while there are no entries: that there are none, and what makes the first one. */
  readonly empty: readonly [nothing: string, next: string];
}

/** A log as a section of the page: its filters, which the address contains, and its entries, page by page. */
export function LogList<Row>({
  title,
  about,
  path,
  member,
  filterBy,
  isExported = false,
  actions,
  presets,
  columns,
  rowKey,
  usual,
  minWidth,
  empty: [nothing, next],
}: LogListProps<Row>) {
  const { filters, bar, empty } = useFilterBar(filterBy);
  const asked = inPart(filters, filterBy.parts ?? []);
  const list = useList<Row>(path, member, asked, '');
  return (
    <Section
      title={title}
      about={about}
      actions={isExported ? <ExportLinks path={path} filters={asked} /> : actions}
      filters={
        presets === undefined ? (
          bar
        ) : (
          <Stack gap="xs">
            {presets}
            {bar}
          </Stack>
        )
      }
      reading={list.query}
    >
      <DataTable
        label={title}
        list={list}
        usual={usual}
        rowKey={rowKey}
        minWidth={minWidth}
        empty={empty(nothing, next)}
        columns={columns}
      />
    </Section>
  );
}

/** When an entry was made. */
export const WHEN: Column<{ readonly at: string }> = {
  title: 'When (UTC)',
  sort: 'at',
  cell: ({ at }) => <Time at={at} />,
};

/** The subject of an entry. */
export const SUBJECT: Column<{ readonly subject: string | null }> = {
  title: 'Subject',
  sort: 'subject',
  cell: ({ subject }) => <Found name={subject} by="subject" />,
};

/** The session that an entry is about. */
export const SESSION: Column<{ readonly session: string | null }> = {
  title: 'Session',
  sort: 'session',
  cell: ({ session }) => <Found name={session} by="session" />,
};

/** A name in a log, as a link to all its entries in the decision log, for those who read that. */
export function Found({ name, by }: { name: string | null; by: 'subject' | 'resource' | 'session' }) {
  const readsLog = useMay('journal:lire') !== false;
  if (name === null) return <Text size="sm">–</Text>;
  const look = by === 'session' ? ({ size: 'xs', ff: 'monospace', miw: 76 } as const) : {};
  if (!readsLog)
    return (
      <Clamped lines={2} {...look}>
        {legible(name)}
      </Clamped>
    );
  return (
    <ClampedLink lines={2} {...look} href={`#audit/decisions?${new URLSearchParams({ [by]: name }).toString()}`}>
      {legible(name)}
    </ClampedLink>
  );
}

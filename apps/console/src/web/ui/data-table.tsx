import {
  ActionIcon,
  Button,
  Center,
  Checkbox,
  Group,
  Paper,
  Popover,
  Select,
  Skeleton,
  Stack,
  Table,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { List } from '../api/list.ts';
import { PAGE_SIZES } from '../route/use-position.ts';
import classes from './data-table.module.css';
import { Fault } from './fault.tsx';
import headingClasses from './heading.module.css';
import { count } from './numbers.ts';
import { Icon } from './section.tsx';

export interface Column<Row> {
  readonly title: string;
  /** The content; a text or a number in the size of the table. */
  readonly cell: (row: Row) => ReactNode;
  /** Numbers are right-aligned; so is `actions`, without the buttons' own padding. */
  readonly align?: 'right' | 'actions';
  /** What the API calls the column, where the list is sorted by it. */
  readonly sort?: string;
}

export interface DataTableProps<Row> {
  readonly label: string;
  readonly list: List<Row>;
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** What a person reads, and does next, when there is nothing yet. */
  readonly empty: ReactNode;
  readonly minWidth?: number;
  /** The order while no other is chosen, as the API has it: `username`, or `-at`. */
  readonly usual?: string;
  /** Where rows can be selected, to do something to several. */
  readonly selection?: Selection<Row> | undefined;
}

/** One long name takes no more than its part: it is broken, so that the columns beside it stay on the screen. */
const CELL = { maxWidth: 340, overflowWrap: 'break-word' } as const;
/** A number stays with its unit, on one line. */
const NUMBER = { whiteSpace: 'nowrap' } as const;

/** A list as a table: a page at a time, with its loading, empty and failed states. */
export function DataTable<Row>({
  label,
  list,
  columns,
  rowKey,
  empty,
  minWidth = 640,
  usual,
  selection,
}: DataTableProps<Row>) {
  const { rows, query } = list;
  const id = useId();
  const matches = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false });
  // A phone that is turned must not remove an open dialog of a row with what was typed there.
  const isSmall = useRef(matches);
  if (document.querySelector('[aria-modal=true]') === null) isSmall.current = matches;
  if (query.isPending)
    return (
      <Stack gap="xs" role="status" aria-busy="true" aria-label={`${label}: loading`}>
        {[0, 1, 2].map((line) => (
          <Skeleton key={line} height={36} />
        ))}
      </Stack>
    );
  if (query.isError && rows.length === 0) return <Fault error={query.error} retry={query.refetch} />;
  if (rows.length === 0)
    return (
      <Paper withBorder p="xl">
        <Center>
          <Stack align="center" gap="sm" maw={460} ta="center">
            {list.previous !== null ? <Emptied back={list.previous} /> : empty}
          </Stack>
        </Center>
      </Paper>
    );
  return (
    <Stack gap="sm">
      <Fault error={query.error} retry={query.refetch} since={query.dataUpdatedAt} />
      <Paper
        withBorder
        style={{ overflow: 'hidden', opacity: query.isPlaceholderData ? 0.6 : 1 }}
        aria-busy={query.isPlaceholderData}
      >
        <Table.ScrollContainer
          minWidth={minWidth}
          scrollAreaProps={{
            viewportProps: { role: 'group', 'aria-label': label, tabIndex: 0 },
            // Seen without a pointer over it: that there is more at the right is not known otherwise.
            type: 'auto',
            offsetScrollbars: 'present',
          }}
        >
          <Table
            className={classes['table'] ?? ''}
            verticalSpacing="xs"
            // With many columns, the space between them would push the last one off a laptop's screen.
            horizontalSpacing={columns.length > 7 ? 'sm' : 'md'}
            highlightOnHover
            aria-label={label}
          >
            <Table.Thead>
              <Table.Tr>
                {columns.map((column, at) => (
                  <Heading
                    key={column.title}
                    list={list}
                    usual={usual}
                    mark={
                      at === 0 &&
                      selection && (
                        <SelectionBox selection={selection} rows={rows} label={`Select all ${label} of this page`} />
                      )
                    }
                    {...column}
                  />
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row, line) => (
                <Table.Tr key={rowKey(row)}>
                  {columns.map(({ title, cell, align }, at) => (
                    <Table.Td
                      key={title}
                      {...(at === 0 && !selection ? { id: `${id}${line}` } : {})}
                      ta={align === undefined ? 'left' : 'right'}
                      {...(align === 'actions' ? { pr: 9 } : {})}
                      style={align === 'right' ? NUMBER : CELL}
                    >
                      {align === 'actions' && isSmall.current ? (
                        <ActionsMenu of={`${id}${line}`}>{cell(row)}</ActionsMenu>
                      ) : at === 0 && selection ? (
                        <Group gap="sm" wrap="nowrap">
                          <SelectionBox selection={selection} rows={[row]} label={`Select ${selection.nameOf(row)}`} />
                          <div id={`${id}${line}`}>{asText(cell(row))}</div>
                        </Group>
                      ) : (
                        asText(cell(row))
                      )}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      <Pager label={label} list={list} />
    </Stack>
  );
}

/** On a small screen the actions of a row are behind one button, which its first cell names. The menu stays as long as a dialog of theirs: it would take that with it. */
function ActionsMenu({ of, children }: { of: string; children: ReactNode }) {
  const id = useId();
  const [opened, setOpened] = useState(false);
  const leave = () => document.querySelector('[aria-modal=true]') === null && setOpened(false);
  return (
    <Popover position="bottom-end" withinPortal zIndex={150} opened={opened} onDismiss={leave} closeOnEscape={false}>
      <Popover.Target>
        <ActionIcon variant="subtle" aria-labelledby={`${id} ${of}`} onClick={() => setOpened(!opened)}>
          <span id={id} hidden>
            Actions of
          </span>
          <Icon size={18} path="M12 5v.01M12 12v.01M12 19v.01" />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-labelledby={`${id} ${of}`} onKeyDown={({ key }) => key === 'Escape' && leave()}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

function asText(shown: ReactNode): ReactNode {
  return typeof shown === 'string' || typeof shown === 'number' ? <Text size="sm">{shown}</Text> : shown;
}

/** An empty page after the first: its rows were deleted meanwhile. */
function Emptied({ back }: { back: () => void }) {
  return (
    <>
      <Text size="sm">Nothing is left on this page of the list.</Text>
      <Button variant="light" onClick={back}>
        To the previous page
      </Button>
    </>
  );
}

/** Which rows are shown, and the way to the others. Absent where everything fits on the smallest page. */
export function Pager<Row>({ label, list }: { label: string; list: List<Row> }) {
  const { rows, before, previous, next, pageSize, setPageSize, query } = list;
  if (previous === null && next === null && !query.isPlaceholderData && rows.length <= PAGE_SIZES[0]) return null;
  return (
    <Group justify="space-between" gap="sm" component="nav" aria-label={`Pages of ${label}`}>
      <Text size="sm" c="dimmed" role="status">
        {before === null
          ? `${count(rows.length)} rows, with others before them`
          : `Rows ${count(before + 1)} to ${count(before + rows.length)}`}
      </Text>
      <Group gap="xs">
        <Select
          size="xs"
          w={130}
          aria-label={`Rows per page of ${label}`}
          allowDeselect={false}
          data={PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} per page` }))}
          value={String(pageSize)}
          onChange={(size) => setPageSize(Number(size))}
        />
        <Step label="Previous page" go={previous} way="M15 5l-7 7 7 7" />
        <Step label="Next page" go={next} way="M9 5l7 7-7 7" />
      </Group>
    </Group>
  );
}

function Step({ label, go, way }: { label: string; go: (() => void) | null; way: string }) {
  return (
    <ActionIcon variant="default" size={30} aria-label={label} disabled={go === null} onClick={() => go?.()}>
      <Icon size={16} path={way} />
    </ActionIcon>
  );
}

/** Rows of a table that were selected, over all its pages. */
export interface Selection<Row> {
  readonly rows: readonly Row[];
  readonly has: (key: string) => boolean;
  readonly set: (rows: readonly Row[], selected: boolean) => void;
  readonly clear: () => void;
  readonly keyOf: (row: Row) => string;
  /** What a row is called. */
  readonly nameOf: (row: Row) => string;
}

/** Keeps the selection while other pages are read. */
export function useSelection<Row>(keyOf: (row: Row) => string, nameOf: (row: Row) => string): Selection<Row> {
  const [selected, setSelected] = useState<ReadonlyMap<string, Row>>(new Map());
  return {
    rows: [...selected.values()],
    has: (key) => selected.has(key),
    set: (rows, isMarked) => {
      const next = new Map(selected);
      for (const row of rows)
        if (isMarked) next.set(keyOf(row), row);
        else next.delete(keyOf(row));
      setSelected(next);
    },
    clear: () => setSelected(new Map()),
    keyOf,
    nameOf,
  };
}

/** Marks one row, or all that are shown. */
function SelectionBox<Row>({
  selection,
  rows,
  label,
}: {
  selection: Selection<Row>;
  rows: readonly Row[];
  label: string;
}) {
  const selected = rows.filter((row) => selection.has(selection.keyOf(row))).length;
  return (
    <Checkbox
      size="xs"
      aria-label={label}
      checked={selected === rows.length}
      indeterminate={selected > 0 && selected < rows.length}
      onChange={(event) => selection.set(rows, event.currentTarget.checked)}
    />
  );
}

/** How the rows are sorted by a column now; null where they are not. */
export function sortBy(
  column: string,
  sort: string | null,
  usual: string | undefined,
): 'ascending' | 'descending' | null {
  const now = sort ?? usual;
  if (now === column) return 'ascending';
  return now === `-${column}` ? 'descending' : null;
}

/**
 * What a press on the column's heading asks for: the other way round where it goes by it now; else numbers the greatest first, and
 * the rest from its beginning. Null is the list's own order, which needs no word in the address.
 */
export function nextSort(
  column: string,
  sort: string | null,
  usual: string | undefined,
  isNumber: boolean,
): string | null {
  const now = sortBy(column, sort, usual);
  const isDown = now === null ? isNumber : now === 'ascending';
  const next = isDown ? `-${column}` : column;
  return next === usual ? null : next;
}

const ARROWS = { ascending: 'M12 19V5M6 11l6-6 6 6', descending: 'M12 5v14M6 13l6 6 6-6' };
const NONE = 'M8 10l4-4 4 4M8 14l4 4 4-4';

interface HeadingProps {
  readonly title: string;
  readonly align?: 'right' | 'actions';
  readonly sort?: string;
  readonly usual?: string | undefined;
  /** Marks all rows of the page. */
  readonly mark?: ReactNode;
  readonly list: Pick<List<unknown>, 'sort' | 'setSort'>;
}

/** The heading of a column: a button that sorts by it, where the list can be. */
function Heading({ title, align, sort, usual, mark, list }: HeadingProps) {
  const ta = align === undefined ? 'left' : 'right';
  const text = (
    <Text span size="xs" fw={600} c="dimmed">
      {title}
    </Text>
  );
  const layout = headingClasses['title'] ?? '';
  if (sort === undefined)
    return (
      <Table.Th ta={ta}>
        <span className={layout}>{text}</span>
      </Table.Th>
    );
  const direction = sortBy(sort, list.sort, usual);
  return (
    // Else the heading of a column is also called by the name of its mark.
    <Table.Th ta={ta} aria-sort={direction ?? 'none'} {...(mark ? { 'aria-label': title } : {})}>
      {mark ? <span className={headingClasses['mark'] ?? ''}>{mark}</span> : null}
      <UnstyledButton
        className={layout}
        title={`Sort by ${title}`}
        onClick={() => list.setSort(nextSort(sort, list.sort, usual, align === 'right'))}
      >
        {text}
        <span className={headingClasses[direction === null ? 'idle' : 'active'] ?? ''}>
          <Icon size={12} path={direction === null ? NONE : ARROWS[direction]} />
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}

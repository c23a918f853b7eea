import { ActionIcon, Button, Center, Group, Paper, Popover, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useId, useRef, useState } from 'react';
import type { List } from '../api/list.ts';
import classes from './data-table.module.css';
import { Fault } from './fault.tsx';
import { Heading } from './heading.tsx';
import { Icon } from './icon.tsx';
import { Pager } from './pager.tsx';
import { type Selection, SelectionBox } from './selection.tsx';

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

import { Table, Text, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { List } from '../api/list.ts';
import classes from './heading.module.css';
import { Icon } from './section.tsx';

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

export interface HeadingProps {
  readonly title: string;
  readonly align?: 'right' | 'actions';
  readonly sort?: string;
  readonly usual?: string | undefined;
  /** Marks all rows of the page. */
  readonly mark?: ReactNode;
  readonly list: Pick<List<unknown>, 'sort' | 'setSort'>;
}

/** The heading of a column: a button that sorts by it, where the list can be. */
export function Heading({ title, align, sort, usual, mark, list }: HeadingProps) {
  const ta = align === undefined ? 'left' : 'right';
  const text = (
    <Text span size="xs" fw={600} c="dimmed">
      {title}
    </Text>
  );
  const layout = classes['title'] ?? '';
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
      {mark ? <span className={classes['mark'] ?? ''}>{mark}</span> : null}
      <UnstyledButton
        className={layout}
        title={`Sort by ${title}`}
        onClick={() => list.setSort(nextSort(sort, list.sort, usual, align === 'right'))}
      >
        {text}
        <span className={classes[direction === null ? 'idle' : 'active'] ?? ''}>
          <Icon size={12} path={direction === null ? NONE : ARROWS[direction]} />
        </span>
      </UnstyledButton>
    </Table.Th>
  );
}

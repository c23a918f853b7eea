import { ActionIcon, Group, Select, Text } from '@mantine/core';
import type { List } from '../api/list.ts';
import { PAGE_SIZES } from '../route/use-position.ts';
import { Icon } from './icon.tsx';
import { count } from './numbers.ts';

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

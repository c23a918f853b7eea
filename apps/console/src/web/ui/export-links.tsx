import { Button, Menu } from '@mantine/core';
import { type Filters, listPath } from '../api/list.ts';

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

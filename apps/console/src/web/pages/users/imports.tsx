import { Stack, Text } from '@mantine/core';
import { useList } from '../../api/list.ts';
import type { AccountImport } from '../../api/objects.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { count } from '../../ui/numbers.ts';
import { Time } from '../../ui/time.tsx';

/** Revokes all keys that an import made, in one act. */
export function RevokeKeys({ of, label, onDone }: { of: string; label: string; onDone?: () => void }) {
  return (
    <Confirm<{ revoked: number }>
      label={label}
      title="Revoke the keys of this import"
      consequence="Every key that this import made is refused with the next request. The accounts, their roles and plans stay. This cannot be undone."
      change={() => ({
        method: 'POST',
        path: `/api/imports/${of}/revoke-keys`,
        done: ({ revoked }: { revoked: number }) =>
          revoked === 1 ? '1 key revoked.' : `${count(revoked)} keys revoked.`,
      })}
      {...(onDone === undefined ? {} : { onDone })}
    />
  );
}

/** Earlier imports with what is left of their keys; nothing where there was none. */
export function EarlierImports() {
  const imports = useList<AccountImport>('/api/imports', 'imports', {}, 'imports');
  if (imports.rows.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        Earlier imports
      </Text>
      <DataTable
        label="Earlier imports"
        list={imports}
        rowKey={({ id }) => id}
        minWidth={560}
        empty={null}
        columns={[
          { title: 'Started (UTC)', cell: ({ startedAt }) => <Time at={startedAt} /> },
          { title: 'By', cell: ({ author }) => author },
          { title: 'Keys', align: 'right', cell: ({ keys }) => count(keys) },
          { title: 'In force', align: 'right', cell: ({ keysInForce }) => count(keysInForce) },
          {
            title: 'Actions',
            align: 'actions',
            cell: ({ id, keysInForce }) => (keysInForce === 0 ? null : <RevokeKeys of={id} label="Revoke its keys" />),
          },
        ]}
      />
    </Stack>
  );
}

import { permissionLabel, reasonLabel, roleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Button, Code, Drawer, Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Copy } from './copy.tsx';
import { WithOwnFaults } from './fault.tsx';
import { useDialog } from './layer.tsx';

export interface DetailsProps {
  readonly title: string;
  readonly entry: object;
  readonly label?: string;
  /** What there is to say of it, above its members. */
  readonly about?: ReactNode;
  /** Where this entry alone is found again: a fragment of this surface's address. */
  readonly link?: string;
  /** The address of its proof, a file. */
  readonly proof?: string;
}

/** Every member of one entry, as recorded, behind a button. */
export function Details({ title, entry, label = 'Details', about, link, proof }: DetailsProps) {
  const { opened, made, open, close } = useDialog();
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        onClick={open}
        aria-label={label === 'Details' ? `Details: ${title}` : label}
      >
        {label}
      </Button>
      {made && (
        <Drawer opened={opened} onClose={close} title={title} position="right" size="lg">
          <WithOwnFaults>{about}</WithOwnFaults>
          {link !== undefined && (
            <Group justify="flex-end" mb="xs">
              {proof !== undefined && (
                <Button component="a" size="compact-sm" variant="default" href={proof} download>
                  Download proof
                </Button>
              )}
              <Copy
                label="Copy a link to this entry"
                size="compact-sm"
                text={`${location.origin}${location.pathname}#${link}`}
              />
            </Group>
          )}
          <Table layout="fixed" verticalSpacing="xs" horizontalSpacing={0}>
            <Table.Tbody>
              {Object.entries(entry).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row" w={150} style={{ verticalAlign: 'top' }}>
                    <Text size="xs" c="dimmed">
                      {name}
                    </Text>
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>
                    {renderIdentifiers(name, value) ?? renderValue(value)}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Drawer>
      )}
    </>
  );
}

/** A role, a permission or the reason of a decision: its English name, and small beside it the value in the log; null for anything else. */
function renderIdentifiers(name: string, value: unknown): ReactNode {
  const label = { permission: permissionLabel, reason: reasonLabel, role: roleLabel, roles: roleLabel }[name];
  const held = Array.isArray(value) ? (value as unknown[]) : [value];
  if (label === undefined || held.length === 0 || !held.every((one) => typeof one === 'string')) return null;
  // The reason of an act is a text of its own.
  if (held.every((one) => label(one) === one)) return null;
  return (
    <>
      {held.map((identifier) => (
        <Text key={identifier} size="sm">
          {label(identifier)}{' '}
          {label(identifier) !== identifier && (
            <Text span size="xs" c="dimmed" ff="monospace">
              {identifier}
            </Text>
          )}
        </Text>
      ))}
    </>
  );
}

function renderValue(value: unknown) {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0))
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  if (Array.isArray(value) && value.every((one) => typeof one === 'string'))
    return <Text size="sm">{legible(value.join(', '))}</Text>;
  if (typeof value === 'object')
    return (
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {JSON.stringify(value, null, 2).split('\n').map(legible).join('\n')}
      </Code>
    );
  return <Text size="sm">{legible(typeof value === 'string' ? value : JSON.stringify(value))}</Text>;
}

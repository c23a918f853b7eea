import { Button, Code, Drawer, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';

/** Every member of one entry, as it is recorded. */
export function Details({ title, entry }: { title: string; entry: object }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="compact-sm" variant="subtle" onClick={open} aria-label={`Details: ${title}`}>
        Details
      </Button>
      <Drawer opened={opened} onClose={close} title={title} position="right" size="lg">
        <Stack>
          <Table layout="fixed" verticalSpacing="xs">
            <Table.Tbody>
              {Object.entries(entry).map(([name, value]) => (
                <Table.Tr key={name}>
                  <Table.Th w={150} style={{ verticalAlign: 'top' }}>
                    <Text size="xs" c="dimmed">
                      {name}
                    </Text>
                  </Table.Th>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{shown(value)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      </Drawer>
    </>
  );
}

function shown(value: unknown) {
  if (value === null || value === undefined)
    return (
      <Text size="sm" c="dimmed">
        none
      </Text>
    );
  if (typeof value === 'object') return <Code block>{JSON.stringify(value, null, 2)}</Code>;
  return <Text size="sm">{typeof value === 'string' ? value : JSON.stringify(value)}</Text>;
}

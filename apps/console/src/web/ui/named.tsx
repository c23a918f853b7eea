import { Text } from '@mantine/core';

/** A readable name with the identifier below it. */
export function Named({ name, slug }: { name: string; slug: string }) {
  return (
    <>
      <Text size="sm" fw={500}>
        {name}
      </Text>
      <Text size="xs" c="dimmed" ff="monospace">
        {slug}
      </Text>
    </>
  );
}

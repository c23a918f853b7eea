import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A headed part of a page, with what one can do there at the right. */
export function Section(props: { title: string; about?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <Stack component="section" gap="sm" aria-label={props.title}>
      <Group justify="space-between" align="flex-end" gap="sm">
        <div style={{ overflowWrap: 'anywhere' }}>
          <Title order={2} size="h4">
            {props.title}
          </Title>
          {props.about !== undefined && (
            <Text size="sm" c="dimmed" maw={680}>
              {props.about}
            </Text>
          )}
        </div>
        {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
      </Group>
      {props.children}
    </Stack>
  );
}

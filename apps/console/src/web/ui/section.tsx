import { Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { ApiError } from '../api/request.ts';

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Narrows what is listed. */
  readonly filters?: ReactNode;
  /** How the reading of what is listed goes: where no role of the reader's permits it, there is nothing to narrow, nor to do. */
  readonly reading?: { readonly error: ApiError | null };
  readonly children: ReactNode;
}

/** A headed part of a page, with what one can do there at the right. */
export function Section({ reading, filters, ...props }: SectionProps) {
  const isRefused = reading?.error?.status === 403;
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
        {props.actions !== undefined && !isRefused && (
          <Group gap="xs" align="flex-end">
            {props.actions}
          </Group>
        )}
      </Group>
      {!isRefused && filters}
      {props.children}
    </Stack>
  );
}

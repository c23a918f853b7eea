import { Button, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { isRefusal } from '../api/queries.ts';
import type { ApiError } from '../api/request.ts';
import { Fault, SectionTitle } from './fault.tsx';

export interface SectionProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Filters of the list. */
  readonly filters?: ReactNode;
  /** The state of the list's query: without the right to read it, there are no filters and no actions. */
  readonly reading?: { readonly error: ApiError | null };
  readonly children: ReactNode;
}

/** A section with a heading, and its actions at the right. */
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
            <Text size="sm" c="dimmed" maw={680} style={{ textWrap: 'pretty' }}>
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
      <SectionTitle value={props.title}>
        {!isRefused && filters}
        {props.children}
      </SectionTitle>
    </Stack>
  );
}

/** A section that could not be read. It is absent where nothing failed, and where it is for another role to read. */
export function UnreadSection({
  title,
  error,
  refetch,
}: {
  title: string;
  error: ApiError | null;
  refetch: () => unknown;
}) {
  if (error === null || isRefusal(error)) return null;
  return (
    <Section title={title}>
      <Fault error={error} retry={refetch} />
    </Section>
  );
}

/** A line drawing, 24 units wide; its button has a text label. @param size in pixels */
export function Icon({ path, size }: { path: string; size: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** The button of a row that opens the form of the row's object. `of` names it for screen readers. */
export function Edit({ of, label = 'Edit', open }: { of: string; label?: string; open: () => void }) {
  return (
    <Button size="compact-sm" variant="subtle" onClick={open} aria-label={`${label} ${of}`}>
      {label}
    </Button>
  );
}

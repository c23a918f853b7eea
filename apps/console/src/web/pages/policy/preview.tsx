import { roleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Alert, List, Stack, Text } from '@mantine/core';
import { count } from '../../ui/numbers.ts';
import type { PlacedFault } from './text-editor.tsx';

interface Part {
  readonly name: string;
  readonly refused: number;
}

/** What the console says of a policy set before it is installed. */
export interface PolicyPreview {
  readonly faults: readonly PlacedFault[];
  readonly warnings: readonly PlacedFault[];
  readonly lockouts: readonly string[];
  readonly impact: {
    readonly examined: number;
    readonly refused: number;
    readonly endpoints: readonly Part[];
    readonly roles: readonly Part[];
    readonly subjects: readonly Part[] | null;
    readonly estimated: boolean;
  } | null;
}

const listed = (parts: readonly Part[], name: (part: Part) => string = (part) => legible(part.name)) =>
  parts.map((part) => `${name(part)} (${count(part.refused)})`).join(', ');

/** `endpoint:chat` as callers write it. */
const resourceName = ({ name }: Part) => legible(name.replace(/^endpoint:/, '/'));

/** The subjects that would be locked out: the most important result. */
export function Lockouts({ lockouts }: Pick<PolicyPreview, 'lockouts'>) {
  if (lockouts.length === 0) return null;
  return (
    <Alert color="red" variant="light" role="alert" title="This locks people out">
      <List size="sm">
        {lockouts.map((sentence) => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** What installing a sound text would bring about. */
export function Preview({ warnings, lockouts, impact }: PolicyPreview) {
  return (
    <Stack gap="sm">
      <Lockouts lockouts={lockouts} />
      {warnings.length > 0 && (
        <Alert color="yellow" variant="light" role="status" title="Check these names and lines">
          <List size="sm">
            {warnings.map(({ line, column, message }) => (
              <List.Item key={`${line}:${column}:${message}`}>
                Line {line}, column {column}: {legible(message)}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      {impact !== null && <Impact impact={impact} />}
    </Stack>
  );
}

function Impact({ impact }: { impact: NonNullable<PolicyPreview['impact']> }) {
  const { examined, refused, endpoints, roles, subjects, estimated } = impact;
  if (examined === 0)
    return (
      <Text size="sm" c="dimmed">
        The log has no decision yet to test the text with.
      </Text>
    );
  return (
    <Alert
      color={refused > 0 ? 'yellow' : 'gray'}
      variant="light"
      role="note"
      title={`It would have refused ${count(refused)} of the last ${count(examined)} decisions`}
    >
      <Stack gap={4}>
        {refused > 0 && (
          <>
            <Text size="sm">By endpoint or resource: {listed(endpoints, resourceName)}</Text>
            <Text size="sm">By role: {listed(roles, ({ name }) => roleLabel(name))}</Text>
            {subjects !== null && <Text size="sm">By subject: {listed(subjects)}</Text>}
          </>
        )}
        {estimated && (
          <Text size="sm" c="dimmed">
            An estimate: the log keeps neither method nor path, so the usual ones were tried.
          </Text>
        )}
      </Stack>
    </Alert>
  );
}

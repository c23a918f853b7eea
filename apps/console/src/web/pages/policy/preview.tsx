import { roleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Alert, Button, List, Menu, Stack, Text } from '@mantine/core';
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

interface Template {
  readonly title: string;
  readonly about: string;
  readonly cedar: string;
}

/**
 * Texts to begin with. Each names people and endpoints to be replaced: installed unchanged, none refuses anybody who exists.
 */
const TEMPLATES: readonly Template[] = [
  {
    title: 'One person, one endpoint',
    about: 'One person calls only the endpoints you list.',
    cedar: `// contractor@example.com calls no endpoint but "chat".
@id("contractor-endpoints")
forbid (
  principal == Subject::"contractor@example.com",
  action == Action::"inference:appeler",
  resource
) unless { [Endpoint::"chat"].contains(resource) };
`,
  },
  {
    title: 'An endpoint for few people',
    about: 'Only the people you list may call one endpoint.',
    cedar: `// Only these people call the endpoint "restricted".
@id("restricted-endpoint")
forbid (
  principal,
  action == Action::"inference:appeler",
  resource == Endpoint::"restricted"
) unless { [Subject::"ada@example.com", Subject::"alan@example.com"].contains(principal) };
`,
  },
  {
    title: 'Working hours',
    about: 'A service account calls in working hours only (UTC).',
    cedar: `// nightly@example.com calls from 06:00 to 18:00 UTC only.
@id("working-hours")
forbid (
  principal == Subject::"nightly@example.com",
  action == Action::"inference:appeler",
  resource
) unless { context.time.toTime() >= duration("6h") && context.time.toTime() < duration("18h") };
`,
  },
  {
    title: 'A network',
    about: 'An account is served only from your own network.',
    cedar: `// build@example.com calls from the network of the build machines only.
@id("build-network")
forbid (
  principal == Subject::"build@example.com",
  action,
  resource
) unless { context.sourceAddress.isInRange(ip("10.0.0.0/8")) };
`,
  },
  {
    title: 'No agent commands',
    about: 'One person calls endpoints, but runs no agent commands.',
    cedar: `// contractor@example.com runs no agent commands.
@id("no-agent-commands")
forbid (
  principal == Subject::"contractor@example.com",
  action == Action::"execution:lancer",
  resource
);
`,
  },
];

/** Appends a template to the text in the editor. */
export function Templates({ insert }: { insert: (cedar: string) => void }) {
  return (
    <Menu position="bottom-start" width={320}>
      <Menu.Target>
        <Button size="xs" variant="default">
          Insert a template
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {TEMPLATES.map(({ title, about, cedar }) => (
          <Menu.Item key={title} onClick={() => insert(cedar)}>
            <Text size="sm">{title}</Text>
            <Text size="xs" c="dimmed">
              {about}
            </Text>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

import { Button, Menu, Text } from '@mantine/core';

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

import { Anchor, List, Text, ThemeIcon } from '@mantine/core';
import type { Overview } from '../../api/objects.ts';
import { Icon } from '../../ui/icon.tsx';
import { Section } from '../../ui/section.tsx';

const DONE = 'M5 13l4 4L19 7';
const OPEN = 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z';

/** What has to be set up before people can call, and recommended steps after that. Hidden once all of it is done. */
export function Checklist({ overview }: { overview: Overview }) {
  const steps = [
    { done: overview.providers > 0, text: 'Connect an engine', href: '#endpoints?open=connect' },
    { done: overview.activeEndpoints > 0, text: 'Create an endpoint', href: '#endpoints' },
    {
      done: overview.callers > 0,
      text: 'Let a person call: grant the role User',
      href: '#governance/roles?open=grant',
    },
    { done: overview.hasCall, text: 'Make the first call: Endpoints, Call it', href: '#endpoints' },
    {
      done: overview.administrators > 0,
      text: 'Grant somebody the role Administrator',
      href: '#governance/roles?open=grant',
    },
    { done: overview.auditors > 0, text: 'Grant somebody else the role Auditor', href: '#governance/roles?open=grant' },
  ];
  if (steps.every(({ done }) => done)) return null;
  return (
    <Section title="Set-up" about={`${steps.filter(({ done }) => done).length} of ${steps.length} steps are done.`}>
      <List spacing="xs" center>
        {steps.map(({ done, text, href }) => (
          <List.Item
            key={text}
            icon={
              <ThemeIcon size={22} radius="xl" variant="light" color={done ? 'teal' : 'gray'} aria-hidden="true">
                <Icon size={14} path={done ? DONE : OPEN} />
              </ThemeIcon>
            }
          >
            {done ? (
              <Text size="sm" c="dimmed">
                {text}: done
              </Text>
            ) : (
              <Anchor size="sm" href={href}>
                {text}
              </Anchor>
            )}
          </List.Item>
        ))}
      </List>
    </Section>
  );
}

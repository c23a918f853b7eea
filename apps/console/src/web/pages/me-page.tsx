import { permissionLabel, scopedRoleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import { Alert, Anchor, Badge, Box, Button, Code, Group, List, Paper, Skeleton, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { OwnPlan } from '#account';
import { useList } from '../api/list.ts';
import type { AccountKey, KnownSubject } from '../api/objects.ts';
import { useRead } from '../api/request.ts';
import { Confirm } from '../ui/confirm.tsx';
import { Copy, KeyReveal } from '../ui/copy.tsx';
import { DataTable } from '../ui/data-table.tsx';
import { Fault } from '../ui/fault.tsx';
import { count } from '../ui/numbers.ts';
import { Outcome } from '../ui/outcome.tsx';
import { Section } from '../ui/section.tsx';
import { stateOfKey, Time } from '../ui/time.tsx';
import { Snippets } from './endpoints/snippets.tsx';

/** The keys of the own local account. A key that is rotated is refused from the next call on. */
function OwnKeys() {
  const keys = useList<AccountKey>('/api/me/keys', 'keys');
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Section
      title="My keys"
      about="A new key replaces the old one at once. It is shown once and ends when the old one would have."
    >
      <DataTable
        label="My keys"
        list={keys}
        rowKey={({ id }) => id}
        minWidth={560}
        empty={<Text size="sm">You have no key here: you sign in to your tools through the identity provider.</Text>}
        columns={[
          { title: 'Label', cell: ({ label }) => label },
          { title: 'Key', cell: ({ lastFour }) => <Code style={{ whiteSpace: 'nowrap' }}>gwk_…{lastFour}</Code> },
          { title: 'State', cell: (key) => <Outcome of={stateOfKey(key)} /> },
          {
            title: 'Expires (UTC)',
            cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
          },
          {
            title: 'Actions',
            align: 'actions',
            cell: (key) =>
              stateOfKey(key) !== 'revoked' &&
              stateOfKey(key) !== 'expired' && (
                <Confirm<{ key: string }>
                  label="Rotate"
                  title={`Rotate the key ${key.label}`}
                  color="indigo"
                  consequence={`gwk_…${key.lastFour} is refused from the next call on. Tools that use it need the new key, which is shown once.`}
                  change={() => ({ method: 'POST', path: `/api/me/keys/${key.id}/rotate`, body: {} })}
                  onDone={(answer) => setSecret(answer.key)}
                />
              ),
          },
        ]}
      />
      <KeyReveal of="your account" secret={secret} close={() => setSecret(null)} />
    </Section>
  );
}

/** What `GET /api/me` answers. */
interface Me {
  readonly subject: string | null;
  readonly roles: KnownSubject['roles'];
  readonly permissions: readonly string[];
  readonly endpoints: readonly { readonly name: string; readonly address: string }[];
  readonly usage: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number } | null;
  readonly plan: unknown;
  readonly contact: string | null;
}

/** The pages that a role opens. */
const SURFACES = [
  { of: 'administrateur-d-instance', path: '/', name: 'Administration' },
  { of: 'auditeur', path: '/audit', name: 'Audit' },
  { of: 'administrateur-de-projet', path: '/project', name: 'Project' },
];

/** What the signed-in person may do, calls, used and holds; without a role, who grants one. */
export function MePage() {
  const { data, error, refetch } = useRead<Me>('/api/me');
  if (data === undefined)
    return error === null ? (
      <Skeleton height={220} role="status" aria-busy="true" aria-label="My page: loading" />
    ) : (
      <Fault error={error} retry={refetch} />
    );
  if (data.subject === null)
    return (
      <Section title="Shared pair" about="It opens every page, and calls no endpoint.">
        <Text size="sm">
          Nobody's calls, keys or usage belong to it. Give each person an account under{' '}
          <Anchor href="/#users" inherit underline="always">
            Users
          </Anchor>
          .
        </Text>
      </Section>
    );
  const surfaces = SURFACES.filter(({ of }) => data.roles.some(({ role }) => role === of));
  const mayCall = data.permissions.includes('inference:appeler');
  return (
    <Stack gap="xl">
      <Section
        title={legible(data.subject)}
        about="Your roles, and what they permit."
        actions={
          <>
            {data.roles.map((held) => (
              <Badge key={`${held.role}:${held.project}`} variant="light">
                {scopedRoleLabel(held)}
              </Badge>
            ))}
            {surfaces.map(({ path, name }) => (
              <Button key={path} component="a" href={path} variant="default" size="xs">
                {name}
              </Button>
            ))}
          </>
        }
      >
        {data.roles.length === 0 ? (
          <WithoutRole subject={data.subject} contact={data.contact} />
        ) : (
          <List size="sm">
            {data.permissions.map((permission) => (
              <List.Item key={permission} title={permission}>
                {permissionLabel(permission)}
              </List.Item>
            ))}
          </List>
        )}
      </Section>
      {mayCall && <Endpoints endpoints={data.endpoints} contact={data.contact} />}
      {data.usage !== null && (
        <Section title="My usage" about="Calls and tokens of this month (UTC).">
          <Group>
            <Figure label="Calls" value={data.usage.calls} />
            <Figure label="Input tokens" value={data.usage.inputTokens} />
            <Figure label="Output tokens" value={data.usage.outputTokens} />
          </Group>
        </Section>
      )}
      {OwnPlan !== null && mayCall && <OwnPlan plan={data.plan} />}
      <OwnKeys />
    </Stack>
  );
}

function WithoutRole({ subject, contact }: { subject: string; contact: string | null }) {
  return (
    <Alert color="yellow" variant="light" title="You have no role yet: every call is refused">
      <Text size="sm">
        Ask {contact === null ? 'an administrator of this instance' : legible(contact)} for the role{' '}
        <strong>User</strong>, and give this name:
      </Text>
      <Group mt="xs">
        <Code>{legible(subject)}</Code>
        <Copy text={subject} size="xs" />
      </Group>
      <Text size="sm" mt="xs">
        The role takes effect with your next call. Then reload this page.
      </Text>
    </Alert>
  );
}

function Endpoints({ endpoints, contact }: Pick<Me, 'endpoints' | 'contact'>) {
  return (
    <Section title="My endpoints" about="Addresses that you may call now. “Call it” has the lines for your tool.">
      {endpoints.length === 0 && (
        <Text size="sm">
          No endpoint is open to you. Ask {contact === null ? 'an administrator' : legible(contact)}.
        </Text>
      )}
      <Stack gap="xs">
        {endpoints.map(({ name, address }) => (
          <Paper key={name} withBorder px="md" py="xs">
            <Group justify="space-between" gap="xs">
              <Box miw={0} style={{ flex: 1 }}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Code style={{ overflowWrap: 'anywhere' }}>{address}</Code>
              </Box>
              <Group gap="xs">
                <Copy text={address} size="compact-sm" />
                <Snippets endpoint={name} />
              </Group>
            </Group>
          </Paper>
        ))}
      </Stack>
    </Section>
  );
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <Paper withBorder p="md" miw={140}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text fz="lg" fw={650}>
        {count(value)}
      </Text>
    </Paper>
  );
}

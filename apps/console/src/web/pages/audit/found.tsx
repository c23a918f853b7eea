import { legible } from '@gateway/contract/legible';
import { Anchor, Text } from '@mantine/core';

/** A name in a log, which leads to everything that the decision log has of it. */
export function Found({ name, by }: { name: string | null; by: 'subject' | 'resource' | 'session' }) {
  if (name === null) return <Text size="sm">–</Text>;
  return (
    <Anchor
      size={by === 'session' ? 'xs' : 'sm'}
      {...(by === 'session' ? { ff: 'monospace' } : {})}
      href={`#audit/decisions?${new URLSearchParams({ [by]: name }).toString()}`}
      style={{ overflowWrap: 'anywhere' }}
    >
      {legible(name)}
    </Anchor>
  );
}

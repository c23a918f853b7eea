import { Badge } from '@mantine/core';

const COLORS: Readonly<Record<string, string>> = {
  enabled: 'teal',
  granted: 'teal',
  installed: 'teal',
  succeeded: 'teal',
  'in force': 'teal',
  refused: 'red',
  failed: 'red',
  revoked: 'red',
  expired: 'red',
  interrupted: 'yellow',
  block: 'red',
  mask: 'yellow',
};

/** How something ended, as a word and a colour; never cut short by a narrow column, for the word is what is read. */
export function Outcome({ of }: { of: string }) {
  return (
    <Badge color={COLORS[of] ?? 'gray'} variant="light" miw="max-content">
      {of}
    </Badge>
  );
}

import { Badge } from '@mantine/core';

const colour = (status: number | null): string =>
  status === null || status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'teal';

/** The HTTP status of an engine's answer; none where it gave none. */
export function StatusBadge({ status }: { status: number | null }) {
  return (
    <Badge color={colour(status)} variant="light" miw="max-content">
      {status === null ? 'no answer' : String(status)}
    </Badge>
  );
}

import { Text } from '@mantine/core';
import { diffLines } from 'diff';
import classes from './difference.module.css';

/** What a text changes of another one, line by line. @param to what the other one is */
export function Difference({
  before,
  after,
  to = 'the revision in force',
}: {
  before: string;
  after: string;
  to?: string;
}) {
  const parts = diffLines(before, after);
  if (parts.every(({ added, removed }) => !added && !removed))
    return (
      <Text size="sm" c="dimmed">
        No difference to {to}.
      </Text>
    );
  return (
    <pre className={classes['difference']} role="region" aria-label={`Difference to ${to}`} tabIndex={0}>
      {parts.flatMap(({ value, added, removed }, part) =>
        value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => (
            <span key={`${part}.${index}`} className={added ? classes['added'] : removed ? classes['removed'] : ''}>
              {`${added ? '+' : removed ? '-' : ' '} ${line}\n`}
            </span>
          )),
      )}
    </pre>
  );
}

import { Text } from '@mantine/core';
import { diffLines } from 'diff';
import classes from './difference.module.css';

/** What installing the text would change against the revision in force, line by line. */
export function Difference({ before, after }: { before: string; after: string }) {
  const parts = diffLines(before, after);
  if (parts.every(({ added, removed }) => !added && !removed))
    return (
      <Text size="sm" c="dimmed">
        No difference to the revision in force.
      </Text>
    );
  return (
    <pre className={classes['difference']} role="region" aria-label="Difference to the revision in force" tabIndex={0}>
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

import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { ApiError, report, reportFailure } from './request.ts';

/**
 * Reports a change, with a button that undoes it.
 * @param takeBack resolves with the sentence to show
 */
export function showUndo(
  message: string,
  takeBack: () => Promise<string>,
  autoClose: number,
  done: () => unknown,
): void {
  const id = `undo ${crypto.randomUUID?.() ?? Math.random()}`;
  let isAsked = false;
  const undo = async () => {
    if (isAsked) return;
    isAsked = true; // it is still on the screen for a moment, where a second press would undo twice
    notifications.hide(id);
    try {
      report(await takeBack());
    } catch (error) {
      const said = error instanceof ApiError ? error.message : String(error);
      reportFailure(`It was not undone: ${said}`);
    }
    done();
  };
  notifications.show({
    id,
    color: 'teal',
    autoClose,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{message}</Text>
        <Button size="compact-sm" variant="default" style={{ flexShrink: 0 }} onClick={() => void undo()}>
          Undo
        </Button>
      </Group>
    ),
  });
}

import { notifications } from '@mantine/notifications';

/** Says that something was done. The message closes by itself. */
export function report(message: string): void {
  notifications.show({ message, color: 'teal' });
}

/** Says that something failed which nothing else on the page shows. The message stays until it is closed. */
export function reportFailure(message: string): void {
  notifications.show({ message, color: 'red', autoClose: false });
}

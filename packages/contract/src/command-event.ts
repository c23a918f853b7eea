/** Which of a command's two outputs. */
export type OutputStream = 'stdout' | 'stderr';

/** What a caller reads while its command runs, one JSON object a line (commands-4). */
export type CommandEvent =
  | { readonly evenement: 'demarre'; readonly identifiant: string; readonly session: string; readonly a: string }
  | { readonly evenement: 'sortie'; readonly flux: OutputStream; readonly donnees: string }
  | {
      readonly evenement: 'fin';
      /** Exit code, or null where a signal ended it or it never ran. */
      readonly code: number | null;
      readonly signal: string | null;
      /** Whether the gateway ended it: at the caller's wish, at a revocation, at a limit. */
      readonly interrompu: boolean;
      readonly dureeMs: number;
    }
  | {
      readonly evenement: 'erreur';
      readonly message: string;
      /** Of an output that was cut off before a secret (commands-13). */
      readonly code?: 'secret-detected';
      readonly kinds?: readonly string[];
    };

/** Media type of the stream: JSON objects, each terminated by a newline. */
export const COMMAND_EVENTS_TYPE = 'application/x-ndjson; charset=utf-8';

/** One event as sent, its newline included. */
export function commandEventLine(event: CommandEvent): string {
  return `${JSON.stringify(event)}\n`;
}

/** Process output as an event: base64, since output need not be text (commands-4). */
export function outputEvent(flux: OutputStream, { buffer, byteOffset, byteLength }: Uint8Array): CommandEvent {
  return { evenement: 'sortie', flux, donnees: Buffer.from(buffer, byteOffset, byteLength).toString('base64') };
}

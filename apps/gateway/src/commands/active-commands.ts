import type { RunningCommand } from './running-command.ts';
import type { SessionOwner } from './session/directories.ts';
import type { StopCause } from './stop-cause.ts';

/** A command from its permission until its end is known. */
export interface ActiveCommand extends SessionOwner {
  readonly identifier: string;
  /** Whether the registry had its subject's account when the command was permitted. */
  readonly registered: boolean;
  /** Ends the command, even before it has started. */
  stop(cause: StopCause): void;
}

/** What the start of a command does with its entry. */
export interface ActiveEntry {
  attach(run: RunningCommand): void;
  /** Why it must not run any more, where it was stopped before it did. */
  stopped(): StopCause | null;
  remove(): void;
}

interface Entry extends ActiveCommand {
  run: RunningCommand | null;
  cause: StopCause | null;
}

/** The commands of this gateway, by identifier. */
export class ActiveCommands {
  readonly #entries = new Map<string, Entry>();

  /** Registers a command before anything of it runs, so that a later revocation finds it. */
  add(identifier: string, { subject, session }: SessionOwner, registered = false): ActiveEntry {
    const entry: Entry = {
      identifier,
      subject,
      session,
      registered,
      run: null,
      cause: null,
      stop(cause) {
        this.cause ??= cause;
        this.run?.stop(cause);
      },
    };
    this.#entries.set(identifier, entry);
    return {
      attach: (run) => {
        entry.run = run;
        if (entry.cause !== null) run.stop(entry.cause);
      },
      stopped: () => entry.cause,
      remove: () => this.#entries.delete(identifier),
    };
  }

  find(identifier: string): ActiveCommand | null {
    return this.#entries.get(identifier) ?? null;
  }

  all(): readonly ActiveCommand[] {
    return [...this.#entries.values()];
  }

  /** Whether the session's directory is in use. */
  uses({ subject, session }: SessionOwner): boolean {
    return this.all().some((one) => one.subject === subject && one.session === session);
  }
}

import { ModelFailed } from '../agent/types.ts';
import { pluralize } from '../process/pluralize.ts';

/** No byte came for this long after the first one. */
export class Stalled extends ModelFailed {
  constructor(seconds: number) {
    super(
      `The engine sent nothing for ${pluralize(seconds, 'second')}, so the answer was given up (stallSeconds). What arrived is kept.`,
      null,
    );
  }
}

/**
 * The pieces of a body, of which the first may come at any time and each further one within `seconds`.
 * @throws Stalled
 */
export async function* withoutStall(
  body: AsyncIterator<Uint8Array>,
  first: IteratorResult<Uint8Array>,
  seconds: number,
): AsyncGenerator<Uint8Array> {
  let next = first;
  try {
    while (next.done !== true) {
      yield next.value;
      next = await within(body.next(), seconds);
    }
  } finally {
    // A body that hangs would never settle this.
    void Promise.resolve(body.return?.()).catch(() => undefined);
  }
}

async function within<T>(piece: Promise<T>, seconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Stalled(seconds)), seconds * 1000);
  });
  piece.catch(() => undefined); // it settles after the stall, too
  try {
    return await Promise.race([piece, silence]);
  } finally {
    clearTimeout(timer);
  }
}

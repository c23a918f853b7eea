import { configureGlobal } from 'fast-check';

/**
 * Generated input is the same in every run of the tests, so that what passed once passes again; `TEST_SEED` asks for
 * other input. A failure names its seed.
 */
configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_121) });

import { configureGlobal } from 'fast-check';

/**
 * Generated input is the same in every test run, so that results are reproducible; `TEST_SEED` selects other input. A failure
 * names its seed.
 */
configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_121) });

export { signingKey, startDirectory, type TestDirectory } from './directory.ts';
export { type TestProgram, testProgram } from './program.ts';

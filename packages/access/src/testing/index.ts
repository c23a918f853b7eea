export { signingKey, startDirectory, type TestDirectory } from './directory.ts';

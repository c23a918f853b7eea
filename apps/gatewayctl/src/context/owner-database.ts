import { readFileSync } from 'node:fs';
import { certificatesOf } from '@gateway/configuration';
import {
  assertSchemaIsKnown,
  type DatabaseAddress,
  DatabaseAddressFault,
  parseDatabaseAddress,
  type Sql,
  withPool,
} from '@gateway/database';
import { CommandFailed, WrongUsage } from './context.ts';
import type { Environment } from './environment.ts';

/** The authority of the database's certificate, given once: as a file or as text. */
function authority({ databaseCaFile, databaseCa }: Environment): { ca?: string } {
  if (databaseCaFile !== undefined && databaseCa !== undefined) {
    throw new CommandFailed('DATABASE_CA_CERT_PATH and DATABASE_CA_CERT are both set. Keep one.');
  }
  if (databaseCa !== undefined) return authorityOf('DATABASE_CA_CERT:', databaseCa);
  if (databaseCaFile === undefined) return {};
  let text: string;
  try {
    text = readFileSync(databaseCaFile, 'utf8');
  } catch {
    throw new CommandFailed(`DATABASE_CA_CERT_PATH: ${databaseCaFile} cannot be read.`);
  }
  return authorityOf(`DATABASE_CA_CERT_PATH: ${databaseCaFile}`, text);
}

function authorityOf(source: string, text: string): { ca: string } {
  const certificates = certificatesOf(text);
  if (certificates !== null && certificates.length > 0) return { ca: certificates.join('\n') };
  throw new CommandFailed(`${source} contains no PEM certificate that can be read.`);
}

/** The owner's address, checked. */
export function ownerAddress(environment: Environment): DatabaseAddress {
  const { databaseUrl } = environment;
  if (databaseUrl === undefined) {
    throw new WrongUsage(
      'DATABASE_URL is not set: give the address of the database as its owner, for example postgres://owner:password@127.0.0.1:6000/gateway',
    );
  }
  try {
    return parseDatabaseAddress(databaseUrl, authority(environment));
  } catch (error) {
    if (error instanceof DatabaseAddressFault) throw new CommandFailed(`DATABASE_URL ${error.message}.`);
    throw error;
  }
}

/** Runs a command's statements as the owner, on a database whose schema is the one this program knows. */
export async function withDatabase<Result>(
  environment: Environment,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  return withPool(ownerAddress(environment), { max: 2, applicationName: 'gatewayctl' }, async (sql) => {
    await assertSchemaIsKnown(sql);
    return work(sql);
  });
}

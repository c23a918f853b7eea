import { FIXES, readText } from '../files/reading.ts';
import { WrongUsage } from '../process/fault.ts';

/**
 * The deployment's license, which the gateway asks of workstations. Null where there is none.
 * @throws WrongUsage where two are given, or the file cannot be read.
 */
export async function readLicense(variables: ReadonlyMap<string, string>): Promise<string | null> {
  const license = variables.get('GATEWAY_LICENSE');
  const file = variables.get('GATEWAY_LICENSE_FILE');
  if (license !== undefined && file !== undefined) {
    throw new WrongUsage('GATEWAY_LICENSE and GATEWAY_LICENSE_FILE are both set. Unset one of them.');
  }
  if (file === undefined) return license === undefined ? null : usable('GATEWAY_LICENSE', license);
  const read = await readText(file);
  if (read.state !== 'read') {
    throw new WrongUsage(`GATEWAY_LICENSE_FILE: ${file} cannot be read (${read.state}). ${FIXES[read.state]}`);
  }
  return usable(`GATEWAY_LICENSE_FILE: ${file}`, read.text);
}

/** A header takes no white space within a license, nor anything that is not ASCII. */
function usable(where: string, text: string): string {
  const license = text.trim();
  if (/^[\x21-\x7e]+$/.test(license)) return license;
  throw new WrongUsage(`${where} contains no license. Set it to the text that your administrator gave you.`);
}

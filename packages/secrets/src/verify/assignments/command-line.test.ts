import { describe, expect, it } from 'vitest';
import { dice, draw } from '../../testing/specimen.ts';
import { ask } from '../../testing/view.ts';
import { FOUND, MORE, NO } from '../view.ts';
import { checkOption, checkPasswordOption } from './command-line.ts';

const password = draw('A-Za-z0-9', 16, dice('command line'));

describe('checkOption', () => {
  it.each([
    [`mysql -h db -uroot -p${password} app`, ' -p'],
    [`mysqldump -p'${password}' app`, ' -p'],
    [`sshpass -p ${password} ssh h`, ' -p'],
    [`mongosh -u svc -p "${password}"`, ' -p'],
    [`docker login reg -u svc -p ${password}`, ' -p'],
    [`redis-cli -h r -a ${password} ping`, ' -a'],
    [`ldapsearch -x -D cn=x -w ${password}`, ' -w'],
    [`sqlcmd -S db -U sa -P '${password}' -Q "select 1"`, ' -p'],
    [`az login --service-principal -u x -p ${password}`, ' -p'],
    [`mongosh --username svc --password ${password}`, '--password'],
    [`openssl enc -aes-256-cbc -pbkdf2 -k ${password} -in a`, ' -k'],
    [`openssl aes-256-cbc -d -k '${password}' -in a`, ' -k'],
    [`openssl enc -aes-128-cbc -K ${password} -iv 0 -in a`, ' -K'],
    [`unzip -P ${password} a.zip`, ' -P'],
    [`mosquitto_pub -h q -u x -P '${password}' -t t`, ' -P'],
    [`bcp t out f -U sa -P${password}`, ' -P'],
    [`7z x -p${password} a.7z`, ' -p'],
    [`ldapmodify -D cn=x -w${password}`, ' -w'],
    [`oc login -u x -p ${password}`, ' -p'],
    [`<c>redis-cli -a ${password}</c>`, ' -a'],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkOption, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    `mkdir -p ${password}`,
    `ssh -p ${password} h`,
    'sshpass -p $PASS ssh h',
    'docker login -p password',
    'mysql -p 3306',
    `mysql -u x\nmkdir -p${password}`,
    'mysql -p',
  ])('is nothing: %s', (text) => {
    expect(ask(checkOption, ' -p', text).verdict).toBe(NO);
  });

  it.each([
    [`curl -k ${password}`, ' -k'],
    ['openssl enc -aes-256-cbc -k $PASS', ' -k'],
    ['openssl enc -aes-256-cbc -k <password>', ' -k'],
    ['openssl enc -aes-256-cbc -k ********', ' -k'],
    [`openssl x509 -key ${password}`, ' -k'],
    [`unzip -p ${password}.zip`, ' -p'],
    [`scp -P ${password} h:`, ' -P'],
    [`mosquitto_sub -p ${password}`, ' -p'],
    [`ldapsearch -W ${password}`, ' -W'],
  ])('is nothing, with capitals and without: %s', (text, keyword) => {
    expect(ask(checkOption, keyword, text).verdict).toBe(NO);
  });

  it('waits, and delays the value', () => {
    const { verdict, view } = ask(checkOption, ' -p', 'sshpass -p a9', false);
    expect([verdict, view.hold]).toEqual([MORE, 11]);
  });
});

describe('checkPasswordOption', () => {
  it.each([
    [`keytool -list -storepass ${password}`, 'storepass '],
    [`keytool -keypass '${password}'`, 'keypass '],
    [`plink -batch -pw ${password} deploy@h`, ' -pw '],
    [`aws configure set aws_secret_access_key ${password}`, 'aws_secret_access_key '],
    [`aws configure set profile.ci.aws_secret_access_key ${password}`, 'aws_secret_access_key '],
    [`npm config set //registry.npmjs.org/:_authToken ${password}`, ':_authToken '],
    [`openssl rsa -passin pass:${password}`, ' pass:'],
    [`REDISCLI_AUTH=${password} redis-cli`, 'rediscli_auth='],
    [`export SSHPASS="${password}"`, 'sshpass='],
    [`h1 ansible_user=x ansible_ssh_pass=${password}`, 'ansible_ssh_pass='],
    [`$p = ConvertTo-SecureString "${password}" -AsPlainText -Force`, 'convertto-securestring '],
    [`ConvertTo-SecureString -String '${password}' -AsPlainText`, 'convertto-securestring -string '],
  ])('finds the password: %s', (text, keyword) => {
    expect(ask(checkPasswordOption, keyword, text)).toMatchObject({ verdict: FOUND, value: password });
  });

  it.each([
    [`the pass: ${password}`, ' pass:'],
    ['keytool -storepass changeit', 'storepass '],
    [`tool -pw ${password}`, ' -pw '],
    ['plink -pw $PASS deploy@h', ' -pw '],
    ['set aws_secret_access_key in the environment', 'aws_secret_access_key '],
    [`my storepass ${password}`, 'storepass '],
    ['SSHPASS=$PASSWORD sshpass -e', 'sshpass='],
    ['ConvertTo-SecureString $env:PASSWORD -AsPlainText', 'convertto-securestring '],
    ['ConvertTo-SecureString -String $plain -Force', 'convertto-securestring '],
    ['ConvertTo-SecureString -AsPlainText "x" -Force', 'convertto-securestring '],
    ['use ConvertTo-SecureString with care', 'convertto-securestring '],
  ])('is nothing: %s', (text, keyword) => {
    expect(ask(checkPasswordOption, keyword, text).verdict).toBe(NO);
  });

  it('waits, and delays the value', () => {
    const text = 'openssl rsa -passin pass:';
    const { verdict, view } = ask(checkPasswordOption, ' pass:', `${text}a9`, false);
    expect([verdict, view.hold]).toEqual([MORE, text.length]);
  });
});

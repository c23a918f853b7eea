import type { Machine } from './machine.ts';
import { commandsOf } from './manual.ts';

export interface Check {
  readonly name: string;
  /** The others need what it makes. */
  readonly isNeeded?: boolean;
  /** @returns a note about the result, or null @throws an error whose message is the cause */
  run(machine: Machine): Promise<string | null>;
}

/** A check that is a script. */
const scripted = (name: string, script: string, isNeeded = false): Check => ({
  name,
  isNeeded,
  run: (machine) => noteOf(machine, script),
});

/** Runs a script that may print one line as a note. */
async function noteOf(machine: Machine, script: string): Promise<string | null> {
  return /^Note: (.*)$/m.exec(await machine.run(script))?.[1] ?? null;
}

const OWNER = 'postgres://owner:password@localhost:5432/gateway';
const asOwner = (sql: string): string => `psql --quiet --set ON_ERROR_STOP=1 ${OWNER} <<'SQL'\n${sql}SQL`;
const page = 'air-gapped';

/** A certificate of an authority that is made at the first use. */
const CERTIFY = `
certify() {
  cd /root
  {
    [ -f authority.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out authority.pem -days 30 -subj /CN=authority
    openssl req -newkey rsa:2048 -nodes -keyout tls.key -out tls.csr -subj "/CN=$1"
    openssl x509 -req -in tls.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 10 -out tls.crt -extfile <(echo subjectAltName=DNS:localhost)
  } 2>openssl.log || fail "$(cat openssl.log)"
  install --group=gateway --mode=0640 tls.crt tls.key /etc/gateway
}
name_shown() {
  openssl s_client -connect localhost:6001 -CAfile /root/authority.pem -verify_return_error </dev/null 2>/dev/null | sed --quiet 's/^subject=CN *= *//p'
}
`;
/** The log verifies, and has an entry for each of the calls that were answered. */
const VERIFY = `
cd /opt/gateway
bin/gatewayctl journal verify >/root/verified || fail "$(cat /root/verified)"
grep --quiet '^authorization_decisions: intact' /root/verified || fail "$(cat /root/verified)"
`;
const GRANTED = `granted() { psql --tuples-only --no-align ${OWNER} --command "select count(*) from authorization_decisions where outcome = 'granted'"; }\n`;

const INSTALL: readonly Check[] = [
  scripted(
    'the machine boots, and no unit fails',
    `state=$(systemctl is-system-running --wait) || fail "$state: $(systemctl --failed --plain --no-legend)"`,
    true,
  ),
  scripted(
    'a release is verified and put into /opt/gateway',
    `cp --recursive /media/release/gateway /opt/gateway
cd /opt/gateway
cp /media/release/publisher.pem /media/release/license.jws .
${commandsOf(page, 'openssl pkeyutl')}`,
    true,
  ),
  scripted(
    'the database is prepared as the manual says',
    `runuser --user=postgres -- psql --quiet --set ON_ERROR_STOP=1 <<'SQL'
${commandsOf(page, 'create database', 'sql')}SQL
cd /opt/gateway
${commandsOf(page, 'bin/gatewayctl migrate')}
${asOwner(commandsOf(page, 'alter role', 'sql'))}
cat >gateway.yaml <<'YAML'
${commandsOf(page, 'providers:', 'yaml')}YAML
${commandsOf(page, 'apply gateway.yaml').replace(/^(.*account create.*)$/m, '$1 | tee account.txt')}
grep --only-matching 'gwk_[0-9a-f]*' account.txt >/root/key`,
    true,
  ),
  scripted(
    'the units and their variables are installed as the manual says',
    `${CERTIFY}
cd /opt/gateway
${commandsOf('services', 'useradd')}
for program in gateway console; do
  sed --in-place "s|^DATABASE_URL=.*|DATABASE_URL=postgres://\${program}_service:$program-password@localhost:5432/gateway|" /etc/gateway/$program.env
done
certify first.example
for unit in gateway gateway-console; do
  faults=$(systemd-analyze verify /etc/systemd/system/$unit.service 2>&1)
  [ -z "$faults" ] || fail "systemd-analyze verify: $faults"
done`,
    true,
  ),
];

const ONE_GATEWAY: readonly Check[] = [
  scripted(
    'the gateway starts, and serves when systemctl returns',
    `systemctl enable --now gateway || fail "$(journalctl --unit=gateway --output=cat --lines=20)"
[ "$(systemctl show gateway --property=Type --value)" = notify ] || fail 'Its unit is not of Type=notify.'
call`,
    true,
  ),
  scripted(
    'the first call is recorded, and the log verifies',
    `${GRANTED}${VERIFY}
bin/gatewayctl decisions >/root/decisions
grep casey /root/decisions | grep --quiet chat || fail "The call is not listed: $(cat /root/decisions)"
[ "$(granted)" = 1 ] || fail "$(granted) entries for one call"`,
  ),
  scripted(
    'a gateway runs as its own user, with its own state and enough files',
    `pid=$(systemctl show gateway --property=MainPID --value)
[ "$(stat --format=%U /proc/$pid)" = gateway ] || fail "It runs as $(stat --format=%U /proc/$pid)."
[ "$(stat --format='%U %a' /var/lib/gateway)" = 'gateway 700' ] || fail "$(stat --format='%U %a' /var/lib/gateway)"
grep --quiet '^CapEff:\\s*0*$' /proc/$pid/status || fail "It has capabilities: $(grep CapEff /proc/$pid/status)"
files=$(sed --quiet 's/^Max open files *\\([0-9]*\\).*/\\1/p' /proc/$pid/limits)
[ "$files" -ge 65536 ] || fail "It may open only $files files."`,
  ),
  scripted(
    'the console starts, and its key is endorsed as the manual says',
    `systemctl enable --now gateway-console || fail "$(journalctl --unit=gateway-console --output=cat --lines=20)"
curl --silent --show-error --output /dev/null http://localhost:6002/ || fail 'The console did not answer.'
fingerprint=$(journalctl --unit=gateway-console --output=cat | sed --quiet 's/.*keys endorse \\([0-9a-f:]*\\).*/\\1/p' | head --lines=1)
[ -n "$fingerprint" ] || fail "The journal names no key: $(journalctl --unit=gateway-console --output=cat --lines=20)"
/opt/gateway/bin/gatewayctl journal keys endorse "$fingerprint" --author "Olga Operator"
${VERIFY}`,
  ),
  scripted(
    'a start without a database fails, and systemd starts the gateway when the database is back',
    `from=$(cursor)
systemctl stop postgresql
if systemctl restart gateway; then fail 'systemctl restart reported success without a database.'; fi
journalctl --unit=gateway --after-cursor="$from" --output=cat | grep --quiet 'DATABASE_URL: the database could not be queried' \\
  || fail "The journal does not say why: $(journalctl --unit=gateway --after-cursor="$from" --output=cat)"
systemctl start postgresql
journal_shows "$from" gateway '^Started gateway'
call`,
  ),
  scripted(
    'after SIGKILL systemd starts the gateway again, and no entry is lost',
    `${GRANTED}${VERIFY}
before=$(granted)
for number in 1 2 3; do call; done
from=$(cursor)
pid=$(systemctl show gateway --property=MainPID --value)
kill -KILL "$pid"
journal_shows "$from" gateway '^Started gateway'
[ "$(systemctl show gateway --property=MainPID --value)" != "$pid" ] || fail 'It is the same process.'
call
[ "$(granted)" = $((before + 4)) ] || fail "$(($(granted) - before)) entries for 4 calls"
${VERIFY}`,
  ),
  scripted(
    'systemctl reload reads a renewed certificate without a restart',
    `${CERTIFY}
pid=$(systemctl show gateway --property=MainPID --value)
[ "$(name_shown)" = first.example ] || fail "It shows $(name_shown)."
certify second.example
from=$(cursor)
systemctl reload gateway
journal_shows "$from" gateway 'TLS_CERT_FILE and TLS_KEY_FILE were reloaded'
[ "$(name_shown)" = second.example ] || fail "After the reload it shows $(name_shown)."
[ "$(systemctl show gateway --property=MainPID --value)" = "$pid" ] || fail 'The gateway was restarted.'
call`,
  ),
  scripted(
    'a damaged certificate is reported, and the old one stays in use',
    `${CERTIFY}
from=$(cursor)
echo damaged >/etc/gateway/tls.crt
systemctl reload gateway
journal_shows "$from" gateway 'the current certificate stays in use'
[ "$(name_shown)" = second.example ] || fail "It shows $(name_shown)."
certify third.example
systemctl reload gateway
journal_shows "$from" gateway 'were reloaded'`,
  ),
  scripted(
    'port 443 is served with the capability of the manual',
    `mkdir --parents /etc/systemd/system/gateway.service.d
cat >/etc/systemd/system/gateway.service.d/override.conf <<'UNIT'
${commandsOf('services', 'AmbientCapabilities', 'ini')}UNIT
echo PORT=443 >>/etc/gateway/gateway.env
systemctl daemon-reload
systemctl restart gateway || fail "$(journalctl --unit=gateway --output=cat --lines=20)"
call 443
sed --in-place /^PORT=/d /etc/gateway/gateway.env
rm --recursive /etc/systemd/system/gateway.service.d
systemctl daemon-reload
systemctl restart gateway`,
  ),
  scripted(
    'a gateway that is stopped ends in order, within its time',
    `systemctl stop gateway
[ "$(systemctl show gateway --property=Result --value)" = success ] || fail "$(systemctl show gateway --property=Result)"
[ "$(systemctl show gateway --property=ExecMainStatus --value)" = 0 ] || fail "$(systemctl show gateway --property=ExecMainStatus)"
systemctl start gateway`,
  ),
];

/** Calls one after the other until `end_load`, each on its own connection. */
const LOAD = `
begin_load() {
  rm --force /run/load.ended
  cat >/run/load.sh <<LOAD
$(declare -f call)
while [ ! -e /run/load.ended ]; do
  call >/run/load.answer 2>&1 && echo 0 || echo "\\$? \\$(tr '\\n' ' ' </run/load.answer)"
done >>/run/load.codes
LOAD
  >/run/load.codes
  load_from=$(cursor)
  systemd-run --quiet --unit=load --collect bash /run/load.sh
  load=$(systemctl show load --property=MainPID --value)
  served
}
served() { # waits for two calls, so that one was begun from now on
  exec 9< <(exec timeout 120 tail --follow --lines=0 --pid="$load" /run/load.codes)
  [ "$(grep --max-count=2 --count . <&9)" = 2 ] || fail 'No call ended within two minutes.'
  exec 9<&-
}
# A connection that is being opened while a gateway ends may be reset: curl's 35, 52 and 56. An emulated database may miss the five
# seconds that it has for a decision: the journal has to say so, and the result of the check does.
end_load() {
  touch /run/load.ended
  tail --follow --pid="$load" /dev/null
  grep --quiet '^0$' /run/load.codes || fail "No call was served: $(tail --lines=3 /run/load.codes)"
  journalctl --after-cursor="$load_from" --unit='gateway@*' --output=cat >/run/load.journal
  local late='^22 .* 503 .*Authorization decision could not be (made|recorded)' count
  ! grep --extended-regexp --invert-match "^(0|35 .*|52 .*|56 .*)$|$late" /run/load.codes \\
    || fail "Calls were refused: $(tail --lines=30 /run/load.journal)"
  count=$(grep --extended-regexp --count "$late" /run/load.codes || true)
  [ "$count" = 0 ] && return
  grep --quiet 'the database did not answer within the budget' /run/load.journal || fail "$count calls got 503."
  echo "Note: $count of $(wc --lines </run/load.codes) calls got 503, because the emulated database was too slow"
}
`;

const SEVERAL: readonly Check[] = [
  scripted(
    'several gateways share one port as instances of a template',
    `echo ${commandsOf('several', 'GATEWAY_SHARE_PORT').trim()} >>/etc/gateway/gateway.env
${commandsOf('several', 'gateway@')}
[ "$(ss --listening --tcp --numeric --no-header 'sport = :6001' | wc --lines)" = 2 ] || fail "$(ss --listening --tcp --numeric)"
for number in 1 2 3 4; do call; done
for number in 1 2; do systemctl is-active gateway@$number; done
${VERIFY}`,
    true,
  ),
  scripted(
    'a renewed certificate is read by every instance',
    `from=$(cursor)
systemctl reload 'gateway@*'
for number in 1 2; do journal_shows "$from" gateway@$number 'were reloaded'; done`,
  ),
  scripted(
    'instances are restarted one after the other, and the port stays open',
    `${LOAD}
begin_load
for number in 1 2; do
  systemctl restart gateway@$number
  served
done
end_load`,
  ),
  scripted(
    'an instance that is killed is started again, and the other one serves on',
    `from=$(cursor)
kill -KILL "$(systemctl show gateway@1 --property=MainPID --value)"
call
journal_shows "$from" gateway@1 '^Started gateway'
${VERIFY}`,
  ),
];

const LATER: readonly Check[] = [
  scripted(
    'a new version is installed as the manual says, and the port stays open',
    `${LOAD}
cp --recursive /media/release/gateway-later /opt/gateway-new
cd /opt/gateway-new
cp /media/release/publisher.pem .
${commandsOf(page, 'openssl pkeyutl')}
cd /
begin_load
${commandsOf('services', 'mv /opt/gateway-new')}
served
for number in 1 2; do
  systemctl restart gateway@$number
  served
done
systemctl restart gateway-console
end_load
/opt/gateway/bin/gatewayctl migrate --check
psql --quiet ${OWNER} --command 'table planted'
${VERIFY}`,
  ),
  scripted(
    'the version before is refused by the new schema, and says why',
    `set -a
. /etc/gateway/gateway.env
GATEWAY_STATE_DIR=$(mktemp --directory)
if /opt/gateway-old/bin/gateway --check-configuration >/root/refused 2>&1; then fail 'It was not refused.'; fi
grep --quiet 'newer than this program' /root/refused || fail "$(cat /root/refused)"`,
  ),
  {
    name: 'after a reboot everything serves by itself',
    async run(machine) {
      await machine.reboot();
      return noteOf(
        machine,
        `state=$(systemctl is-system-running --wait) || fail "$state: $(systemctl --failed --plain --no-legend)"
for unit in gateway@1 gateway@2 gateway-console; do
  [ "$(systemctl is-active $unit)" = active ] || fail "$unit is $(systemctl is-active $unit): $(journalctl --unit=$unit --output=cat --lines=10)"
  [ "$(systemctl show $unit --property=NRestarts --value)" = 0 ] || fail "$unit was started more than once: $(journalctl --boot --unit=$unit --output=cat)"
done
call
${VERIFY}`,
      );
    },
  },
];

/** What `systemd-analyze security` may give at most. */
const EXPOSURE = 2;

const security = (unit: string): Check => ({
  name: `systemd-analyze security of ${unit} is below ${EXPOSURE.toFixed(1)}`,
  async run(machine) {
    const printed = await machine.run(`systemd-analyze security --no-pager ${unit}`);
    const exposure = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(printed)?.[1]);
    if (!(exposure < EXPOSURE)) throw new Error(`${exposure}:\n${printed}`);
    return String(exposure);
  },
});

const RECORDS: readonly Check[] = [
  ...['gateway.service', 'gateway@1.service', 'gateway-console.service'].map(security),
  scripted(
    'the journal has the lines of both programs, of earlier boots too, and no secret',
    `for unit in gateway gateway@1 gateway-console; do
  journalctl --unit=$unit --output=cat | grep --quiet 'listens on' || fail "The journal has no line of $unit."
done
[ "$(journalctl --list-boots --quiet | wc --lines)" -ge 2 ] || fail 'The journal of the first boot is gone.'
! journalctl --output=cat | grep --extended-regexp "$(cat /root/key)|(gateway|console)-password" || fail 'The journal contains a secret.'`,
  ),
];

/** In their order: each one begins where the one before ended. */
export const CHECKS: readonly Check[] = [...INSTALL, ...ONE_GATEWAY, ...SEVERAL, ...LATER, ...RECORDS];

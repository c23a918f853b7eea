/**
 * Words that people use for one another in questions about software. A line is a group; a word may be in several. Only general
 * English and common technical terms belong here, no product's own terms.
 */
export const GROUPS = `
add append attach insert include put
remove delete drop erase discard purge prune clear clean evict
change modify edit alter adjust update
create make build generate construct produce
start launch begin spawn run boot execute
stop end halt terminate quit cancel abort interrupt kill
fetch retrieve obtain load download read
send submit post transmit deliver push
show display render view present output print
hide conceal mask
find search locate lookup query discover
list enumerate
save store persist keep kept
save persistence persist
cache memoize
restore recover resume continue
choose select pick
check verify validate confirm ensure
allow permit enable grant accept
deny refuse reject block forbid disallow restrict prevent
limit restrict cap maximum throttle quota bound ceiling
quota budget allowance cap ceiling
limit rate throttle
size large big long
fix repair correct solve resolve mend troubleshoot
break fail crash broken failure error
error exception fault problem issue failure bug
throw raise
catch handle
wrong invalid incorrect malformed bad
missing absent undefined lost
empty blank null
login signin authenticate authentication credential
sso login signin
login signin logon
logout signout
signup register registration
authentication auth authenticate
authorization authorize permission access
password secret credential
token key
identifier id identity uuid
unique distinct
name title label alias
employee employees staff colleague contractor intern
onboarding onboard newcomer
leave left leaver leavers offboarding departure
retain retained retention keep kept store
stolen steal theft lost
laptop notebook workstation computer machine
downtime outage interruption
user customer visitor person people account
company enterprise organization organisation corporate business
team group member department
admin administrator operator
environment env
variable var
parameter param argument arg
config configuration configure setting option preference
configuration misconfigured misconfiguration
yaml yml
prem premise
temporary temporarily
hour hourly
stderr stdout log output
setup install installation configure
default standard preset
custom own customize customise bespoke
folder directory dir
file document
path route url
route routing endpoint
link url address uri
website site webpage page
picture image photo drawing
movie video film clip
sound audio voice speech
speak speech voice
transcribe transcription transcript
translate translation
text string
write compose author
talk chat conversation dialog dialogue
message mail
mail email
notify notification alert subscribe inform
event hook callback listener trigger
timer schedule cron
wait delay pause sleep
timeout deadline expire expiration expiry ttl
slow sluggish latency lag performance delay
fast quick speed performance
size length
number count amount quantity
similar similarity alike
same equal identical duplicate
repeat twice duplicate repeated
different difference distinguish compare comparison versus vs
compare comparison benchmark
old previous earlier former legacy outdated stale
new latest recent
upgrade migrate migration update
version release revision
revert rollback undo downgrade
history historical changelog revision
convert transform turn migrate
compress gzip compression deflate zip
encrypt encryption decrypt decryption cipher tls
tls ssl https certificate
sign signature signed
hash digest checksum
random seed
test testing unit mock
fake mock stub simulate
debug troubleshoot inspect diagnose
log logging logger record trace audit
audit journal trail
trace tracing telemetry observability opentelemetry
monitor monitoring observability metrics
measure metric timing benchmark
health status alive
deploy deployment publish host hosting release
server backend
client frontend browser
local locally localhost
remote hosted online
offline disconnected isolated
proxy gateway
network internet
port socket
request call
response answer reply result
return yield respond
body payload content
header headers
status code
redirect forward
forward passthrough relay pass
stream streaming chunk
upload attachment multipart
download fetch
form input field
button click
component widget element
layout template
style css styling
page screen
table grid
database db sql postgres sqlite
backup restore snapshot dump
disaster recovery backup restore
schema type structure shape
json object structured
model llm
provider backend upstream vendor
think thinking reasoning reason
prompt instruction instructions
agent bot assistant chatbot
tool function
function method
subagent delegate
loop iterate iteration repeat step
parallel concurrent concurrently simultaneous simultaneously
async asynchronous
process subprocess child
thread worker
memory remember recall
context window
trim truncate shorten prune compact compaction
summarize summary compact
embed embedding vector
rank rerank order sort
price pricing cost billing charge pay
budget spending cost
free gratis
license licence
vulnerability security exploit attack malicious
malicious attack attacker untrusted
secure security safe safely protect protection hardening
protect guard secure prevent mitigate
sensitive secret private confidential
private internal
public open
forge forgery spoof
example sample demo
trial pilot evaluation demo
tutorial guide quickstart walkthrough introduction
overview introduction
documentation docs manual reference
learn understand explain
mean meaning definition
support compatible incompatible compatibility
require required mandatory
require requirement prerequisite
optional optionally
automatic automatically auto
manual manually
dynamic runtime
static prerender
share shared reuse
nested inside within
global whole entire everywhere
split separate divide modular
combine merge join compose
group namespace
extend extension plugin addon
library package module sdk
framework toolkit
template boilerplate scaffold starter
dependency package
command cli terminal shell
terminal console tty
language locale i18n internationalization
format formatting
parse parser decode
serialize encode stringify
escape sanitize
match matching pattern
replace substitute override
overwrite override
character letter symbol
first initial
last final
maximum max limit
minimum min
average mean
multiple several many
unauthorised unauthorized
authorise authorize
authorisation authorization
forgot forgotten lost
reset renew rotate
evidence proof prove proven
privacy gdpr erasure
runaway uncontrolled
approve approval confirm consent permission
propose proposal suggestion
suggest suggestion recommend recommendation
accept approve approved
contribute contributor contribution
maintainer maintain governance
register registration enroll
registry catalog catalogue directory
own owner ownership
progress status percentage
cancel cancellation abort
close closed disconnect
open opening
reload refresh
reconnect resume
connect connection connecting attach
retry retries
ask request prompt
mobile ios android phone
desktop computer machine
control operate manage
manage administer administration
assign attribute grant
role permission right
revoke revocation withdraw ban
lift unrevoke unblock unban unlock reinstate
cloud aws azure
amazon aws
google gcp
lambda serverless
container docker
kubernetes k8s
edge worker
websocket socket realtime
realtime live
hard effort difficult
deprecated obsolete removed
feature capability
capability capabilities support
rule policy
job task
queue background
background daemon
periodic recurring frequency schedule
ip address
cookie session
session conversation
origin domain host
extract extraction
insert inject injection
wrap wrapper middleware intercept
intercept interceptor middleware
month monthly
day daily
disable deactivate off
enable activate on
enable enabled active
suspend disable freeze
disconnect offline
leak leakage expose disclosure
detect detection recognize recognise
tamper tampering manipulate alter
prove verify
integrity tamper chain
loadbalancer balancer balancing
production prod live
certificate cert
repository repo
machine server box host
money cost spending price
bill invoice billing
expensive cost price
overhead latency
throughput performance capacity
capacity sizing scale scalable
redundancy failover availability
spare standby backup
unreachable unavailable down dead offline
outage unavailable failure
hang stuck freeze
erase wipe vanish
vanish disappear delete
intact integrity unbroken
altered modified tamper changed
breakdown report statistics
report statistics summary
track monitor usage report
verbose verbosity debug
startup start boot
reboot restart boot
boss manager employer management
colleague teammate coworker employee
plug connect attach
connector integration
core cpu processor
ram memory
disk storage
allowlist whitelist allow
denylist blacklist deny block
lockout lock block
ban block
subnet network
vpn network
tarball archive
handbook manual documentation
validity lifetime expiry expiration
renewal renew
seat license
recover recovery restore
cyclic circular cycle
lesson course tutorial
diagram drawing graph chart
visualise visualize draw
laptop workstation
compliance compliant audit certification certified
shutdown stop
simultaneous parallel
persist stored
replica standby replication failover
`;

/**
 * English words that do not indicate a question's subject: articles, pronouns, prepositions, auxiliaries, question words,
 * numerals, and the verbs and adverbs of any sentence.
 */
const WORDS = `
a about above after again all already also always am an and any anybody anyone anything are aren't as at
be because been being below best better between both but by
came can can't cannot come comes coming could couldn't
did didn't do does doesn't doing don don't done down during
each eight either else even ever every everybody everyone everything few five for four from further
gave get gets getting give given gives go goes going gone good got
had has hasn't have haven't having he her here hers him his how however
i i'd i'll i'm i've if in into is isn't it it's its itself just keep keeps keeping kept know
let like long lot lots made make makes making many may me mean means meant middle might mine more most much must my myself
need needs never nice nine no nobody none nor not nothing now
of off often ok on once one ones only onto or other our ours out over own per please put quite
rather re really said same saw say saying says seen seven shall she should shouldn't six so some somebody somehow someone
something sometimes somewhere still such
take taken takes tell ten than that that's the their theirs them then there these they thing things this those though
three through thus to told too took toward towards two
under until up upon us use used uses using very via
want wants was wasn't way ways we went were weren't what what's when where whether which while who whom whose why will
with within without won't would wouldn't yes yet you your yours yourself himself herself themselves ourselves far bit
`;

/** In lower case, without apostrophes. */
export const STOP_WORDS: readonly string[] = WORDS.trim()
  .split(/\s+/)
  .map((word) => word.replaceAll("'", ''));

const STOPS: ReadonlySet<string> = new Set(STOP_WORDS);

/** Whether a lower-case word without apostrophes does not indicate a question's subject. */
export function isStopWord(word: string): boolean {
  return STOPS.has(word);
}

/**
 * Words of a question about any subject: forms of the question itself (`is … supported`, `… setup`), and plain adjectives,
 * adverbs, verbs and nouns of everyday speech. An answering page may lack them. No word of a subject may be listed: its absence
 * from a corpus is the best sign of a question it does not cover.
 */
const ANY_SUBJECT = `
available exist exists explain guide guides happen happened happening happens possible setup support supported supporting supports tutorial tutorials walkthrough work worked working works
able accidentally actual actually advice afraid afterwards agree almost alone along alongside although amid among amount annoying anyway
apart apparently appear approximately arrive aside attempt avoid away awful awkward bad barely basically become begin beginning behalf
behave behind believe belong benefit beside beyond big bigger biggest bother bottom brief briefly bring bunch busy calm care careful
carefully carry cause certain certainly chance cheap choose chore clear clever common complain completely complex confuse confusing
consider constantly convenient correct correctly couple crazy current currently danger dangerous day deal decide deep degree
deliberately describe despite detail differ difference different difficult difficulty direction dirty disappear doubt dumb early easily
easy effort enjoy enormous enough entire entirely eventually everywhere exact exactly example expect extent extra fact fair familiar
fancy fast faster feel figure final finally find fine folks follow forever forget former friend fully fun funny future gain gather
gentle giant grab gradually grow guess guy habit half halfway hand handful handy happy hard hardly harmless hate hear heavy help helpful
hence hit hole honest hope hostile hour huge hundred hurt idea ideal imagine immediately important impossible improve inch incorrect
indeed inside insist instantly instead intend kind lack large larger last lately later latest lead leave likely literally little lone
longer longest look loose lose loud love low luck lump mainly major majority manner matter maybe meaning meanwhile meet mention mere
merely mess minor minute miss mistake moment mostly mysteriously naive namely narrow nasty natural nature nearby nearly neat necessary
newcomer normal normally notice nowhere obtain obvious obviously occasion occasionally occur odd old opinion opposite ordinary otherwise
outcome outside overall pain painful painfully pair particular partly past people perfect perfectly perhaps permanently person piece
plain plenty point polite poor popular portion possibility possibly precise prefer prepare presumably previous previously probably
problem proper properly prove purely purpose quick quickly quiet quietly rare rarely reach real reasonable recent recently reliable
remain remaining remember reply rid right rise risk rough roughly rude sad sadly safe sane scenario secretly seem seldom sensible
separately serious seriously several shallow short shorten shortly shut silent silently similarly simple simply since single sit
situation slight slightly slow slowly small smaller smart smooth solve soon specifically spend spot stand stay steady stick strange
strong struggle stuck stuff stupid subtle succeed sudden suddenly suffer suitable suppose supposedly sure surely surprise surprising
survive suspicious suspiciously tall tend terrible thank therefore thick thin thousand tired today tomorrow total totally tough treat
trick tricky trouble truth try typical typically ugly unable understand unexpected unfortunately unless unlike unnecessary unusual
useful useless usual usually vanish various vast visitor wait weak week weekday weird whatever whenever wherever whichever whole wide wild win
wise wish wonder world worry worse worst wrong year yesterday young
convenience decrease dies dying easiest fastest foreign fresh genuinely honestly hire hired increase introduce involve
nearest nicely ought particularly prior quickest realistic regularly simplest slowest suddenly suggest thereby
behavior behaviour biggest guidance higher lower routine sentence smallest suspected visible thorough twice wild yearly weekly monthly nightly
built dedicated practice practices recommend recommended see sees turn
monday tuesday wednesday thursday friday saturday sunday tonight
january february april june july august september october november december
`;

const PLAIN_WORDS: ReadonlySet<string> = new Set(ANY_SUBJECT.trim().split(/\s+/));

/**
 * Whether a lower-case word may occur in a question about anything. Unlike in the index, words of one family are separate:
 * `reasoning` and `completion` are subjects.
 */
export function isPlainWord(word: string): boolean {
  return PLAIN_WORDS.has(word) || PLAIN_WORDS.has(word.replace(/s$/, ''));
}

import type { IncidentStep } from '@casefile/contracts';

/**
 * Commands and words that delete or stop something. A rule lists words in their order within one command or
 * sentence. `|` separates alternatives, `*` stands for any letters, and `+` before a word means that the word
 * follows immediately.
 */
const HAZARDS: readonly (readonly [does: string, rules: readonly string[]])[] = [
  ['deletes files', ['rm', 'rmdir', 'unlink', 'shred', 'find -delete', 'remove-item', 'gsutil rm|rb']],
  ['overwrites a disk', ['dd of=*', 'mkfs*', 'wipefs', 'fdisk|parted', 'lvremove|vgremove|pvremove']],
  ['overwrites a file', ['>|:> +/var*|/etc*|/home*|/data*|/opt*|/srv*|/mnt*']],
  [
    'drops data',
    [
      'drop|drops|dropping +table|database|schema|index|view|collection|keyspace|column|partition|tablespace|user|role|slot',
      'drop|drops|dropping +the|all|this|that|its|every|old|unused|replication',
      'dropdb|dropdatabase|*.drop|*.dropdatabase|*_drop_*|drop-*',
    ],
  ],
  [
    'empties what it names',
    ['truncat*', 'flushall|flushdb|flush_all', 'flush|flushing cache*|queue*|redis|memcached'],
  ],
  ['deletes messages', ['purge*', 'purging', 'kafka-consumer-groups* --reset-offsets', 'rabbitmqctl reset']],
  ['resets the write-ahead log', ['pg_resetwal|pg_resetxlog']],
  [
    'deletes what it names',
    [
      'delete*|deleting|*.delete*|*delete_by_query*|--delete|-delete',
      'erase|erases|erasing|wipe|wipes|wiping|destroy*',
      'docker|podman|nerdctl|crictl|k rm|rmi|prune',
      'compose down -v|--volumes',
      'helm uninstall',
      'aws rm|rb|terminate-*|deregister-*',
      'etcdctl|redis-cli|valkey-cli del|unlink',
      'vault|consul revoke|deregister',
      'terminate*|terminating +instance*|the|all|vm*',
    ],
  ],
  [
    'scales to zero',
    [
      '--replicas=0|replicas=0|--min-instances=0|--desired-count=0|--desired-capacity=0|--min-replicas=0',
      '--replicas|replicas:|replicas|--desired-count|--desired-capacity|--min-instances +0|zero',
      'scale|scales|scaling to +0|zero',
      'scale|scales|scaling *=0',
    ],
  ],
  ['drains a node', ['drain|drains|draining node*', 'kubectl|oc drain']],
  [
    'forces',
    [
      '--force*',
      'force|forces|forcing|forced|forcibly|forcefully|force-*',
      '--grace-period=0',
      'git push +-f',
    ],
  ],
  ['discards work', ['git reset +--hard', 'git clean +-f*|-d*|-x*', 'filter-branch']],
  [
    'kills processes',
    [
      'kill +-9|-kill|-s',
      'pkill|killall|pg_terminate_backend',
      'shutdown +-h|-r|now|abort|nosave',
      'poweroff',
    ],
  ],
  [
    'restarts or moves a primary',
    [
      'restart*|reboot*|stop|stopping|stops|failover|demote*|promote*|switchover|kill primary|primaries|master|leader|writer',
      'fail|switch +over primary|primaries|master|leader|writer',
      'primary|master|leader|writer restart*|reboot*|failover|switchover|demote*',
      'reboot-db-*|failover-db-*',
      'patronictl|pg_ctl|pg_ctlcluster|repmgr restart|stop|failover|switchover|reinit|promote',
      'systemctl|service restart|stop postgres*|mysql*|mariadb*|mongo*|redis*|kafka*|etcd*|elastic*|cassandra*',
      'service +postgres*|mysql*|mariadb*|mongo*|redis* +restart|stop',
      'restart statefulset*|sts/*',
    ],
  ],
];

const READ = 4_000;
/** Most words between two words of one rule. */
const APART = 12;
const PARTS = /[;\n|&]+|[.!?:](?=\s)/;
const WORD = /[^\s"'’`()[\]{},]+/g;
const WARNINGS = ['never', 'avoid', 'don', 'dont', 'not'];

type Position = { isNext: boolean; words: readonly string[] };
const RULES = HAZARDS.flatMap(([does, rules]) =>
  rules.map((rule): { does: string; positions: Position[] } => ({
    does,
    positions: rule.split(' ').map((position) => {
      const isNext = position.startsWith('+');
      return { isNext, words: (isNext ? position.slice(1) : position).split('|') };
    }),
  })),
);

/**
 * Returns what a step deletes or stops, in words, or null if no rule matches. Such a step is never shown as
 * low risk or reversible. Warnings do not count, such as "Never delete files by hand."
 */
export function stepHazard(step: string): string | null {
  const parts = step
    .slice(0, READ)
    .toLowerCase()
    .split(PARTS)
    .map((part) => (part.match(WORD) ?? []).map((word) => word.replace(/[.:]$/, '')))
    .filter((words) => !words.slice(0, 2).some((word) => WARNINGS.includes(word)));
  return RULES.find(({ positions }) => parts.some((words) => follows(words, positions)))?.does ?? null;
}

/**
 * Returns a step with its hazard. A hazardous step has a high risk and is irreversible, whatever the model
 * states.
 */
export function withHazard(step: IncidentStep): IncidentStep {
  const hazard = stepHazard(step.what);
  return hazard === null ? step : { ...step, risk: 'high', reversible: false, hazard };
}

function follows(words: readonly string[], positions: readonly Position[]): boolean {
  return words.some((_word, from) => {
    let at = from - 1;
    return positions.every(({ isNext, words: sought }, place) => {
      const most = place === 0 || isNext ? at + 2 : at + 2 + APART;
      const found = words.slice(at + 1, most).findIndex((word) => sought.some((one) => fits(word, one)));
      at += found + 1;
      return found >= 0;
    });
  });
}

function fits(word: string, sought: string): boolean {
  const [start = '', ...ends] = sought.split('*');
  if (ends.length === 0) return word === sought;
  if (!word.startsWith(start)) return false;
  const [end = '', last] = ends;
  if (last === undefined) return word.length >= start.length + end.length && word.endsWith(end);
  return word.includes(end);
}

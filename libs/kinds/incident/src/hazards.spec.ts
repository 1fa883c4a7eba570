import fc from 'fast-check';
import { stepHazard } from './hazards.js';

const TAKE_AWAY = [
  'rm -rf /var/lib/postgresql',
  'sudo rm /var/log/app.log to make room',
  'find /data -name "*.wal" -mtime +3 -delete',
  'mkfs.ext4 /dev/nvme1n1',
  'dd if=/dev/zero of=/dev/sda',
  'DROP TABLE sessions;',
  'Drop the slot replica_2; the replica must be built anew then',
  'psql -c "select pg_drop_replication_slot(\'replica_2\')"',
  'truncate table audit_log',
  'Truncate the events table',
  'delete from jobs where state = 1',
  'kubectl delete pod ledger-7f9c -n payments',
  'kubectl -n payments delete pvc data-0',
  'kubectl scale deploy/checkout --replicas=0',
  'kubectl scale deploy/checkout --replicas 0',
  'Scale checkout down to zero',
  'oc drain node-7 --ignore-daemonsets',
  'helm uninstall shop',
  'kubectl rollout restart statefulset/orders-db',
  'redis-cli -h cache FLUSHALL',
  'redis-cli del session:1',
  'Flush the cache of the storefront',
  'aws ec2 terminate-instances --instance-ids i-0abc',
  'aws rds reboot-db-instance --db-instance-identifier orders',
  'aws s3 rm s3://shop-backups --recursive',
  'gcloud sql instances delete orders',
  'az vm delete --name web-1',
  'terraform destroy -target=module.db',
  'docker system prune -a',
  'docker compose down -v',
  'git push --force origin main',
  'git push -f',
  'git reset --hard HEAD~1',
  'kill -9 4711',
  'Force a failover to eu-west-2',
  'Restart the primary',
  'Restart the Postgres primary db-1 in the maintenance window',
  'Fail over the primary to db-2',
  'patronictl switchover orders',
  'systemctl restart postgresql@15-main',
  'kafka-topics.sh --delete --topic orders',
  'rabbitmqctl purge_queue mail',
  "curl -X DELETE 'http://es:9200/logs-2026.03'",
  'db.orders.drop()',
  'Look first. Then delete the oldest index.',
];
const TAKE_NOTHING = [
  'kubectl rollout undo deployment/checkout',
  'Roll checkout back to 5.1.4',
  'kubectl logs ledger-7f9c --previous',
  'kubectl describe pod ledger-7f9c',
  'kubectl scale deploy/checkout --replicas=4',
  'Scale checkout to 10 replicas',
  'Wait until errors drop below 1 %',
  'Raise DB_POOL_SIZE to 50',
  'Restart the deployment checkout',
  'Call the team orders-db',
  'Never delete files in `pg_wal` by hand.',
  'Do not restart the primary',
  "Don't drop the slot",
  'select count(*) from jobs',
  'aws rds describe-db-instances',
  'redis-cli info memory',
  'See which queries the primary runs',
  'git revert 4f2c1aa',
  'Check the platform for alarms',
];

describe('T-04 what a step takes away', () => {
  it.each(TAKE_AWAY)('finds it in: %s', (step) => {
    expect(stepHazard(step)).toEqual(expect.any(String));
    expect(stepHazard(`If it is confirmed: \`${step.toUpperCase()}\``)).toEqual(expect.any(String));
  });

  it.each(TAKE_NOTHING)('finds nothing in: %s', (step) => {
    expect(stepHazard(step)).toBeNull();
  });

  it('finds it wherever it stands in a longer step', () => {
    const words = fc.array(fc.constantFrom('look', 'at', 'checkout', 'then', 'call', 'the', 'team'), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(fc.constantFrom(...TAKE_AWAY), words, words, (step, before, after) => {
        expect(stepHazard(`${before.join(' ')}. ${step} ; ${after.join(' ')}`)).not.toBeNull();
      }),
    );
  });
});

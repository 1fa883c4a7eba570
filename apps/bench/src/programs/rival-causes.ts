// Plays incidents with a louder fault that has nothing to do with them, and prints for each the look-ups until its cause is
// confirmed, on the shortest path and on the worst that the loop allows, and what a lying model has confirmed.
import { herrings, playHerring } from '@casefile/incident/testing/herrings';

const line = (...[name = '', ...cells]: string[]) =>
  console.log(name.padEnd(28) + cells.map((cell) => cell.padEnd(12)).join(''));

line('incident', 'causes', 'shortest', 'worst', 'ratio', 'confirmed', 'to a liar');
let isGood = true;
for (const herring of herrings()) {
  const [shortest, worst, liar] = [
    await playHerring(herring, 'shortest'),
    await playHerring(herring, 'worst'),
    await playHerring(herring, 'liar'),
  ];
  const ratio = shortest.lookUps === 0 ? '-' : (worst.lookUps / shortest.lookUps).toFixed(2);
  const isTrue = (name: string) => herring.causes.some((cause) => cause.name === name && cause.isTrue);
  isGood &&= liar.confirmed.length === 0 && worst.confirmed.every(isTrue);
  if (herring.confirms) isGood &&= worst.confirmed.length === 1 && worst.lookUps <= 1.5 * shortest.lookUps;
  const names = (confirmed: readonly string[]) => confirmed.join(', ') || '-';
  line(
    herring.id,
    String(herring.causes.length),
    String(shortest.lookUps),
    String(worst.lookUps),
    ratio,
    names(worst.confirmed),
    names(liar.confirmed),
  );
}
process.exitCode = isGood ? 0 : 1;

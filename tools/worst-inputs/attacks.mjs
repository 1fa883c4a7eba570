// Inputs that are likely to make a pattern slow, built from parts of the pattern.
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';

/** Characters to try for a character set of a pattern: the first of each kind that the set contains. */
const LIKELY = [...' a0-\n.,"_/(<A\té\u0300क\u094d½\u200b😀[{*=:@#+\'`|'];
const MOST_OF_A_SET = 4;
/** Ends of inputs, so that the match so far fails. */
const ENDS = ['', '!', '\n\0'];
const MOST_ATTACKS = 40;

/**
 * Returns generators of inputs of about `n` characters, `{ name, make(n) }`. For every part that repeats
 * without limit: its lead, then the part repeated, or both repeated together. The end may make the match
 * fail.
 */
export function attacksOn({ source, flags }) {
  const pattern = new RegExpParser().parsePattern(source, 0, source.length, {
    unicode: /[uv]/.test(flags),
    unicodeSets: flags.includes('v'),
  });
  const attacksByName = new Map();
  const add = (lead, unit) => {
    if (unit === '') return;
    for (const end of ENDS) {
      const name = JSON.stringify([lead, unit, end]);
      if (attacksByName.size < MOST_ATTACKS)
        attacksByName.set(name, {
          name,
          make: (n) => lead + unit.repeat(Math.max(1, Math.floor(n / unit.length))) + end,
        });
    }
  };
  visitRegExpAST(pattern, {
    onQuantifierEnter(node) {
      if (node.max < 20) return;
      const lead = leadTo(node, flags);
      for (const unit of samplesOf(node.element, flags)) {
        add(lead, unit);
        if (lead !== '') add('', lead + unit);
      }
    },
  });
  add('', samplesOf(pattern, flags)[0] ?? '');
  return [...attacksByName.values()];
}

/** Returns a text that leads a match to this node: one sample of each part before it in its alternatives. */
function leadTo(node, flags) {
  let lead = '';
  for (let at = node; at.parent !== null; at = at.parent) {
    if (at.parent.type !== 'Alternative') continue;
    const before = at.parent.elements.slice(0, at.parent.elements.indexOf(at));
    lead = before.map((one) => samplesOf(one, flags)[0] ?? '').join('') + lead;
  }
  return lead;
}

/** Returns short texts that this node matches. */
function samplesOf(node, flags) {
  switch (node.type) {
    case 'Character':
      return [String.fromCodePoint(node.value)];
    case 'CharacterSet':
    case 'CharacterClass':
    case 'ExpressionCharacterClass':
      return ofSet(node.raw, flags);
    case 'Quantifier':
      return samplesOf(node.element, flags).map((one) => one.repeat(Math.max(1, Math.min(node.min, 40))));
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives.flatMap((one) => samplesOf(one, flags)).slice(0, MOST_OF_A_SET);
    case 'Alternative':
      return [node.elements.map((one) => samplesOf(one, flags)[0] ?? '').join('')];
    case 'Backreference':
      return samplesOf([node.resolved].flat()[0], flags);
    default:
      return [''];
  }
}

function ofSet(raw, flags) {
  const one = new RegExp(`^(?:${raw})$`, flags.replace(/[gy]/g, ''));
  const likely = LIKELY.filter((character) => one.test(character)).slice(0, MOST_OF_A_SET);
  for (let code = 0; likely.length === 0 && code < 0x20000; code += 1)
    if (one.test(String.fromCodePoint(code))) likely.push(String.fromCodePoint(code));
  return likely;
}

import { reasonInWords } from '@casefile/contracts/reason-codes';

/** A reason code in words; the code itself is on hovering, for a search in the logs. */
export function Reason({ code }: { code: string }) {
  return <span title={code}>{reasonInWords(code)}</span>;
}

import { reportStance } from './stance.js';

describe('T-30 the answer that a report opens with', () => {
  it.each([
    ['supported', '## 結論\n\n這個說法屬實：核安會說明，3號機已停機 [E1]。'],
    ['supported', '是真的。水管於下午破裂 [E1]。'],
    ['supported', 'Yes, the recall covers 31,000 scooters [E1].'],
    ['supported', '## Answer\n\nThe claim is true: prices rose 2.8 percent [E1].'],
    ['refuted', '這個說法不實。沒有撤離命令 [E1]。'],
    ['refuted', '並非事實，一般民眾票價維持15元 [E1]。'],
    ['refuted', 'No. The council rejected the ban [E1].'],
    ['refuted', 'The claim is false: 23 is the number of fires [E1].'],
    ['refuted', 'It is not true that the exams were dropped [E1].'],
    ['unclear', '目前無法證實併購的傳聞 [E3]。'],
    ['unclear', '兩個來源的說法不一，尚無定論。'],
    ['unclear', 'It is unclear whether the plant will close [E1].'],
    ['unclear', 'This cannot be confirmed: the office did not answer [E2].'],
    [null, 'The council met on Thursday [E1].'],
    [null, '> The claim is false [E1]'],
    [null, ''],
  ])('is %s: %s', (expected, report) => expect(reportStance(report)).toBe(expected));

  it('is read from the opening alone', () => {
    const long = `${'The council met. '.repeat(5)}The claim is false.`;
    expect(reportStance(long)).toBeNull();
  });
});

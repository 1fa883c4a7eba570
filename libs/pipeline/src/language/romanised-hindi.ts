/**
 * Function words of Hindi as typed in Latin letters (Urdu in Latin letters shares most of them). Words that
 * other languages also have ("to", "me", "se", "hum", "do") are left out: they would make Spanish or Turkish
 * look like Hindi.
 */
const WORDS = new Set(
  (
    'hai hain hoon hun thaa thi nahi nahin nhi mat kya kyaa kyun kyu kyon kaise kaisa kab kahan kaun kitna kitne ' +
    'aap aapka aapke aapki aapko apna apne apni mera mere meri mujhe mujhse tera tere teri tumhara tumhare tumhari tumko tujhe ' +
    'hamara hamare hamari humara humare humari humko humne maine usne isne unka unke unki uska uske uski iska iske iski inka ' +
    'yeh ye woh wo yahan wahan abhi kabhi bhi aur ya lekin magar kyunki isliye agar toh warna varna phir fir liye ' +
    'karo karna karne karke karein karen karta karte karti kiya kijiye kijiyega kariye kar krna kro krke ' +
    'raha rahe rahi rha rhe rhi hoga hogi honge hua hui hue gaya gaye gayi gya jayega jayegi jaega jao jana jaye jaldi turant ' +
    'dena dijiye dijie diya denge lena lijiye liya lenge bhejo bheje bheja bhejna bata batao bataye bol bolo bolna bhai didi ' +
    'wala wale wali mein pe tak saath baad pehle kal aaj kuch koi sab bahut bohot accha acha thik theek haan haanji ji ' +
    'paisa paise rupaye khata khaata kripya namaste dost ghar baat kaam khana dekho suno milega milegi milenge chahiye sakte sakta sakti'
  ).split(' '),
);
/** Words that no other language in Latin letters spells this way, so fewer of them are enough. */
const TELLING = new Set(
  'hai hain nahi nahin aapka aapke aapki aapko kijiye kijiyega dijiye karein mujhe mujhse kyunki isliye jayega jayegi gaya gayi raha rahe rahi turant chahiye batao bhejo karo paise'.split(
    ' ',
  ),
);
/**
 * Share of such words from which a text of some length is Hindi; only a part of its Hindi words is in the
 * lists.
 */
const SHARE = 0.12;

/** Returns the certainty that Latin words are Hindi, 0..1. */
export function romanisedHindi(text: string): number {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  const found = words.filter((word) => WORDS.has(word));
  const distinct = new Set(found);
  const telling = [...distinct].some((word) => TELLING.has(word));
  const share = words.length === 0 ? 0 : found.length / words.length;
  const enough = (distinct.size >= 2 && (telling || share >= 0.3)) || (telling && words.length <= 4);
  if (!enough || share < SHARE) return 0;
  return Math.min(1, 0.5 + share + (telling ? 0.1 : 0));
}

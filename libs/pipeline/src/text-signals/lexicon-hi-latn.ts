import type { Lexicon } from './kinds.js';

/** Of these a text has two at least where it is romanised Hindi; words that are common in English are left out. */
export const FUNCTION_WORDS =
  'hai hain h hu hoon hun ho nahi nahin nhi aap aapka aapke aapki aapko apka apke apki apko ka ki ke ko se pe kar karo kare karein karen kre kro krdo kijiye kijie dijiye dijie hua hui gaya gayi gya raha rahi rahe rha rhi aaj kal abhi wala wale wali bhai bhaiya didi jaldi paise paisa mera meri mere tera teri tere tum tumhari tumhara tumhare apna apni apne mat kya kaise bol bolo bata batao batayein bhej bhejo bheje liye lo ye yeh wo woh kisi koi sab bas aur ya toh warna varna baad pehle pahle turant ghar bethe baithe chahiye milega milegi milta rupay rupaye hazar hazaar lakh naam yaar namaste ji hamare humare hamari humari ek din mahine kr krna krke rkha rakha rakhna lena dena jana aana aata aaja kb jb ab bhi dukan subah shaam sham raat unko usko isko mujhe tujhe sabhi kripya dein lein diya liya kiya gye jab kitna kitni kitne kaha kahan kidhar kyu kyun kaun kisne usne maine tune humne thi hoga hogi honge rahega rahegi sirf paas andar bahar upar neeche niche phir fir dobara thoda thodi bahut bht accha acha theek thik haan gaye aaya aayi aaye jata jati dekha dekho suno raho milte chal chalo ghante baje tareekh tarikh tarik hafte saal hone karna khula saath jara dedo dede lelo krlo karlo karke krk apk humko aapse usse isse wahan yahan kuch kuchh wrna wese waise yr mile mili milna bheja bhejdo bataiye dijiyega'.split(
    ' ',
  );

/** Hindi in Latin letters; spelling is folded, so that one of many stands for all. Word families and constructions. */
export const romanisedHindi: Lexicon = {
  language: 'hi-Latn',
  families: {
    i: 'main mai mein m me',
    abroad:
      'london dubai canada america usa uk singapore malaysia germany australia england kuwait toronto newyork california videsh foreign paris hongkong',
    pay: 'bhej* bhijwa* jama dal* daal* de dena dede dedo do dijiye dijie transfer payment bhar* bharo lagenge lagega lagta lagti lagte katega kata* katwa* karwa* lagao chuka* clear',
    fee: 'fees fee charge charges tax gst shulk token advance registration processing deposit dakshina insurance jurmana fine raseed zamanat',
    block:
      'block band suspend kat* cut cancel expire freeze deactivate lock radd seize blacklist delete bandh hold hat* disconnect',
    account:
      'account khata khate a_c card sim number connection bijli line licence license service subsidy pension policy gas fastag wallet yono kyc challan gaadi instagram facebook whatsapp id profile nal',
    secret: 'otp pin password cvv code ank digit mpin passcode',
    kin: 'beta beti bhatija mama chacha chachi mausi bua dadi dada nana nani uncle aunty papa mummy bhaiya didi bhai',
    office:
      'police cbi ed nia customs custom court adalat income_tax incometax trai narcotics ncb crime_branch cyber_cell cyber_crime rbi supreme_court inspector si dsp thana thane ips rto vibhag department dept',
    tell: 'batao batana bataye bataiye bataiyega batayein batado bata_do bata_de bata_dena bata_dijiye bata_dein btado btao btana btaye bol* suna* likh* bhej* bhjo de dena dede dedo do dijiye dijie dal* daal* bhar* share forward padh* reply enter send fill laga*',
  },
  signals: {
    asks_money: {
      weak: `
        $ ~4 @pay
        udhar/udhaar
        madad/help`,
      plain: `
        isi/is number pe/par ~4 de/dein/dijiye/do
        $ ~2 due hai/h/ho
        $ ~4 bhej*/bhijwa*/transfer
        $ ~2 dal* ~ do/de/dijiye/dena/dal
        paise/paisa/payment/amount ~4 bhej*/transfer/dalo/jama/dal
        isi/is/niche/neeche ~2 number/upi/khate/account ~4 bhej*/dal*/jama/lauta*/wapas
        PAYID
        $ ~2 advance
        $ ~4 chahiye/zarurat
        upi ~3 dal*/bhej*/kar*
        $ ~3 lagao ~4 $ ~2 lo/pao/le`,
      strong: `
        paisa/paise/balance/amount/fd ~8 rbi/sarkari/safe/hamare/secret ~ khate/account
        $ ~2 lagao ~3 $ ~2 pao/lo/wapas
        $ ~2 dalo/jama ~4 $ ~2 lo/pao/wapas`,
    },
    asks_fee: {
      weak: `
        sirf/only/bas ~ $`,
      plain: `
        $ ~4 @fee
        @fee ~4 $
        @fee ~4 jama/bhej*/bhar*/dena/lagega
        jama ~3 kar*/hote/karo/karwa* ~6 mil*/release/flight/aa*/le/shuru
        $ ~3 jama
        pehle/pahle ~3 $
        $ ~2 pehle/pahle
        file/registration/processing/rto/court/visa/medical/stamp/verification ~2 charge/fees/fee/ke
        refundable
        verification recharge
        chalu ~4 $
        prepaid task/slot
        $ ~4 release/activate/chalu/niklega`,
    },
    asks_secret: {
      weak: `
        update ~3 kar*
        verify ~3 kar*
        kyc`,
      plain: `
        kyc/pan/aadhar/aadhaar ~6 update/pending/pura/link/nahi/expire/complete
        card ~3 number/no/detail* ~5 @tell
        bank ~3 detail*/account ~5 @tell
        debit/credit/atm ~2 card ~8 number/no/cvv/digit/ank/block
        id ~2 password
        login ~3 de/dedo/karo/kro/kare/krke/kr
        card ~2 no/number ~4 dal*/bhej*/de/or/aur
        net banking`,
      strong: `
        @secret ~4 @tell
        @secret ~6 aaya/aayega/ayega/aye/aaye/mila ~6 @tell
        number/no/msg/message/code ~5 aaya/aayega/ayega/aye/aaye/bheje/mila ~6 @tell
        # ank/digit ~8 @tell
        card ~3 piche/peeche ~3 digit/number/ank
        pin ~2 dal*/daal*/laga*/enter
        ye/yeh code ~3 dal*/dial
        sim ~4 # ~2 number ~4 bhej*/@tell`,
    },
    asks_documents: {
      plain: `
        aadhar/aadhaar/adhar/pan/passport ~6 photo/bhej*/number/copy/courier/de
        selfie/document* ~3 bhej*
        naam ~3 umar/pata/gotra/address/account ~5 bhej*/likh*/de
        photo ~3 bhej* ~5 aadhar/card/passbook`,
    },
    collect_trick: {
      plain: `
        notification/request/suchna ~6 manjur/accept/approve/ok
        alag tarike/tareeke se ~1 aata/aayega
        galti ~8 chala/chale/gaya/gye/bhej*/transfer/aa/dal*/number
        galat/ulta ~5 number/account/lag/dab ~10 wapas/lauta*/aapke
        wapas/vapas/vapis/wapis ~2 kar*/krdo/kro/bhej*/dal*/de
        lauta* ~2 do/dena/dijiye/de/tab
        1 rs/rupay* ~3 bhej*`,
      strong: `
        scan/scanner ~8 pin/aayega/ayega/aa_jayega/check/enter
        code ~2 scan
        request ~8 pin/approve/accept/khol*
        pin ~6 aa*/wapas/mil*/jama
        army ~6 system/rule*/advance`,
    },
    deadline: {
      weak: `
        turant/jaldi/foran/fauran/abhi/urgent
        aaj ~2 raat/sham/shaam/hi/tak/last
        # ghante/ghanta/minute/min/din ~2 me/mein/ke/tak/andar
        last ~ date/chance/day/warning/din
        kal ~2 tak/se
        TIME ~3 band/cut/tak/line
        sirf/only/bas ~2 # ~2 seat/log/din`,
    },
    threat: {
      plain: `
        @account ~8 @block ~3 jaega/jayega/jayegi/gaya/gya/raha/denge/dikhayega
        @block ~2 ho ~2 jaega/jayega/jayegi/jayenge
        warna/varna/vrna/otherwise
        nahi/nhi to/toh
        line/bijli/connection/light ~5 kat*/cut
        penalty/jurmana/fine ~3 lagega/lagegi
        anisht/nuksan ~3 hoga/ho
        seize/blacklist
        expire ~2 ho
        kal ~3 website/offer ~2 band`,
    },
    legal_threat: {
      plain: `
        giraftar*/arrest/warrant/jail/mukadma/summon
        fir ~3 darj/type*/direct/ho_jaegi/ho_jayegi/ho_jaaegi
        money laundering
        case ~4 darj/hoga/pakda/chal*
        kanooni/legal karwai/action/notice
        challan/chalan ~8 pending/bharo/bhariye/APK/LINK/court/photo
        licence/license ~3 suspend`,
      strong: `
        digital ~ arrest/custody
        parcel/courier ~10 drugs/mdma/passport/illegal/nashi*
        @office ~12 warrant/arrest/case/drugs/giraftar*/pakda
        call/phone/line/camera/video ~3 mat/na/nahi ~ kat*/band/kaatna
        rape/murder case
        thane/thana ~6 pakda/hai/incharge`,
    },
    blackmail: {
      strong: `
        photo ~1 edit
        recording ~2 hai/h ~1 mere
        contct/contact/contacts ~4 photo/video
        recording ~8 bhej*/jayegi/jaygi/viral
        video/photo/photos/pic/clip ~8 viral/dal_denge/daal_denge/bhej_denge/rishtedar*/record/youtube/contacts/gharwalo/family/delete
        gandi/ganda/nude/nangi/ashleel ~3 video/photo/clip/pic
        record ~3 kar ~2 li/liya
        badnam*/badnaam*`,
      plain: `
        rishtedar*/contacts/mohalle/gali ~6 photo/poster/bhej*/video/call
        recovery wale/agent/team
        chor`,
    },
    poses_bank: {
      weak: `
        dear ~2 customer/costumer/user/cstmr
        bank ~2 se`,
      plain: `
        bank ~5 bol/se_hu/se_hoon
        bank ~4 manager/taraf
        reward ~ point*
        nominee ~4 request/badal*`,
    },
    poses_authority: {
      weak: `
        @office
        officer/adhikari/sahab/saheb
        sarkar/sarkari/yojana`,
      plain: `
        @office ~4 bol ~2 rah*/rha/rhi/hu
        @office ~3 se
        office/thana/thane/agency/ministry ~4 bol/se_hu
        refund ~6 approve/manjoor/mil/paane/fasa/fail/claim
        yojana/kist/subsidy/pension/scheme/ration ~6 naam/mil*/atki/ruki/pending/chalu/list
        officer/inspector/havaldar ~4 call/bol/ko`,
    },
    poses_carrier: {
      plain: `
        parcel/courier/package/delivery/order/saman ~8 ruk*/atak*/hold/wapas/custom*/galat/adhura/return/fasa/atka
        address/pata ~3 galat/adhura/incomplete/update
        delivery boy ~2 bol/hu`,
    },
    poses_company: {
      plain: `
        customer/costumer care
        airtel/jio/vi/bsnl/flipkart/amazon/zomato/paytm/phonepe/company/agency ~2 se ~2 bol
        care/support/office/agency ~3 se ~2 hu/hoon/bol
        hr/recruiter/executive ~4 se/hu/hoon/mila
        manager ~6 PHONE/call/whatsapp
        manager ~3 PHONE`,
    },
    poses_relative: {
      plain: `
        @kin ~2 ye/yeh/mera/meri ~2 naya/nya/dusra no/number/num
        ye/yeh ~1 naya/nya/dusra no/number ~1 hai/h
        gala/avaz/awaz/aawaz ~3 baith/kharab
        thuk/takkar/accident ~10 case/police/chahiye/$
        paranam/pranam ~6 pehchan*
        @kin ~2 main/mai hu/hun/hoon/bol
        meeting ~2 phas*/fas*/me_hu
        ye/yeh ~2 personal/dusra/naya number/no
        urgent ~1 kaam/kam
        surprise ~6 btana/batana/mat/kisi
        pehchana/pahchana/pehchan_liya
        phone ~4 kharab/toot*/gir_gaya/gir_gya/kho_gaya/kho_gya/chori
        dost ~3 number ~3 hai/se/h
        @kin ~6 mera phone
        aapka/apka beta/beti/ladka/ladki ~8 pakda/thane/accident/hospital/paas
        accident ~8 paise/$/bhej*
        ek/chhoti/choti/chota ~2 problem/kaam/pareshani/help ~6 gay*/tha/hai/thi
        fas/phas ~2 gaya/gayi/gya
        hospital ~6 admit/bharti ~8 paise/$/bhej*
        fees ~4 last ~4 $/aaj`,
    },
    urges_click: {
      weak: `
        click/link
        LINK
        call/contact/sampark ~3 kar*/kare/kro/karo
        PHONE
        # daba*/press`,
      plain: `
        link ~4 click/kholo/khol*/daba*/bhar*
        click kar*/kare/kro
        # dabaye/dabayein/dabaiye/daba*
        turant ~6 call/sampark/contact
        officer/sahab/adhikari ~4 call/sampark`,
    },
    install: {
      plain: `
        download/install ~2 kar*/kijiye/karo/kro/krke/kare/kr
        app/file ~4 install/download/kholo`,
      strong: `
        APK
        apk ~1 file/install/download`,
    },
    remote_access: {
      strong: `
        anydesk/teamviewer/rustdesk/quicksupport/any_desk/team_viewer/screen_share
        screen share
        app ~3 download ~6 code ~2 bata*
        support/quick* download`,
    },
    prize: {
      weak: `
        mubarak/badhai/congratulation*
        muft/free ~2 recharge/laptop/mobile/silai/ration/scooty/diamond/upgrade`,
      plain: `
        paisa/paise/rakam ~2 vapas/wapas mil
        pakda gaya/gya ~6 paisa/rakam
        lottery/lucky/inaam/inam/kbc/jackpot/winner
        jeeta/jeete/jeeti/jeet ~ gaya/gaye/gya
        gift ~4 bhej*/jeet*/mila
        select/chuna/chune ~3 hua/gaya/hai/gaye
        bonus/cashback/refund ~4 mil*/lene/approve/paane/$
        refund ~6 wapas/fasa/turant/daal*/fail`,
      strong: `
        lucky draw ~8 lakh/MONEY/jeet*/select
        fraud ~6 paisa ~3 mil*/wapas/recover*`,
    },
    easy_income: {
      plain: `
        din ka/ke NUM/MONEY
        ghar/ghr se ~4 kaam/kam
        mobile se/pe ~4 kaam/kam
        chota/chhota sa kaam
        easy ~3 work/kaam
        weekly/roz/roj ~2 payment
        koi target/boss/interview ~2 nahi/nhi
        follow ~4 screenshot/ss
        resume/cv ~4 mila/dekha
        process samjha
        interested/intrested ~2 ho/hai/hain/h to
        ghar/ghr bethe/baithe/se_kaam
        work from home
        part time
        $ ~4 roz/daily/mahina/mahine/salary/kamao/kamaiye/per_day/har_din
        roz/rozana/daily/har_din ~3 $
        kamao/kamai/kamaye/kamaen/kamaiye
        like/rating/review/star/task ~5 karo/kar*/$/dabana/dena
        $ ~2 like/task/review/rating
        prepaid/demo/vip/free ~ task
        koi ~ experience/interview ~2 nahi
        kaam ~6 aasan/asan/asaan/payment/30_min/roz
        salary ~4 free/khana/visa/12th/pass
        payment usi din`,
    },
    investment: {
      plain: `
        paisa/paise ~2 lagaya/lagao ~8 aa/mil/nikala/khate
        apne aap ~1 khate/account
        share ~3 btate/batate/bhaga/diya/dete
        stock market ~4 class/free/tips/group
        $ dalo ~5 $
        NUM/MONEY ~2 din ~2 me ~2 MONEY/NUM
        sure shot
        risk leta/lo/lena
        grp/group me ~1 add
        invest*/nivesh/share/stock/trading/ipo/crypto/forex/usdt/demat ~10 profit/munafa/double/guarantee/return*/pakka/group/operator/tip*/member*/daily/proof/screenshot/withdrawal
        double/dugna/doguna ~4 kar*/ho/karo/paisa/din
        paisa ~4 double/dugna/doguna
        $ ~2 lagao
        operator ~2 stock/wala
        group ~4 stock/trading/signal*/profit/join
        withdrawal/profit proof/screenshot`,
    },
    loan: {
      plain: `
        loan ~8 approve/turant/instant/bina/cibil/minute/min/pass/paas/documents/byaj
        loan/udhar/udhaar ~8 baki/baaki/uthaya/due/clear/band
        bina ~3 cibil/document*/guarantee/kagaz
        guarantor/reference ~5 naam/aapka/number`,
    },
    other_channel: {
      weak: `
        whatsapp/telegram/whatsap/watsapp`,
      plain: `
        whatsapp/telegram/whatsap ~5 msg/message/karo/kare/kar*/join/judo/judein/call/HANDLE/PHONE/LINK/group/bhej*/baat
        group ~3 join/judo/jod*
        HANDLE
        likhe/likho/type ~2 join/yes/interested`,
    },
    secrecy: {
      plain: `
        gupt rakh*/rup
        akele me ~2 baat
        kisi ke samne
        kisi ~3 mat/na/nahi/nhi ~2 bata*/bol*/kehna/kahna
        kisi ~2 bata* ~ mat/na/nahi/nhi
        mat/na ~ batana/bataiyega/bolna/batao/bataiye
        phone/call/line ~2 mat/na kat*/kaatna/katna/kaat*
        secret/confidential
        chune ~4 jaane/jane
        police ~6 mat/nahi ~2 bata*/jana/jaana`,
    },
    new_number: {
      plain: `
        naya/nya no/num/nambar
        naya number hai/h/liya/se/save
        number ~2 naya/badal
        number save ~ kar*
        dost ~3 number
        save ~2 kar*/karlo/krlo`,
    },
    untraceable: {
      strong: `
        gift card/voucher
        usdt/bitcoin/btc
        COIN
        crypto ~4 bhej*/wallet/join`,
    },
    stranger: {
      plain: `
        se number liya/lia
        dil ~1 chu/choo/chhoo
        shayari/shayri ~3 padhi/achi
        bura ~1 nahi/nhi maana/mana/mano
        sulje/suljhe hue
        saal se akela/akeli
        aise log kam
        aap ~2 decent/khubsurat/khoobsurat/sundar/pyari/pyare/handsome/achhe/acche ~2 lagte/lagti/lage/lagi/ho
        kya karte/karti ~1 ho/hain/aap
        @abroad ~4 rehti/rehta/rahti/rahta/me/mein ~4 hu/hun/hoon
        @abroad ~6 dekhti/dekhta/business/pilot/doctor/engineer/nurse/akela/akeli
        akeli/akela ~4 hu/hoon/rehti/rehta
        galt/galat/galti number save
        reel/story/post ~4 achi/achhi/acchi/pasand
        baat kar* ~1 vala/wala ~4 nahi/nhi
        START jaan/janu/jaanu/baby ~3 visa/tumhare/ticket/gift
        galat/galti ~6 number ~4 lag*/mil*
        dp/profile/photo ~5 pyari/sundar/achhi/acchi/dekh*/pasand/achi
        kya ~ ye/yeh/aap ~5 number/bol
        dosti/friendship ~3 kar*
        aap ~4 se ~ ho
        kaha/kahan/kis_shehar ~3 se ~2 ho/hain
        baat kar* ~4 acha/accha/achha/whatsapp/chahta/chahti
        divorced/widow*/single
        rishta ~4 aaya/pasand
        toronto/london/america/canada/singapore/uk/usa ~4 me/mein ~8 hu/hoon/karti/karta/architect/doctor/engineer`,
      weak: `
        kya ye/yeh ~2 ka/ki number/no
        ye/yeh ~2 ka/ki number/no ~1 hai/h
        @i NAME hu/hun/hoon/bol/se/from/END
        @i NAME ~3 se
        naam ~1 hai
        START good_morning/good_evening/good_afternoon ~2 sir/madam/mam
        waise/vaise @i
        kitty/party/kalakriti/exhibition/showroom ~4 mile/mili/me
        antique/painting/designer/villa
        humlog/hum ~6 mile/mili the/thi`,
    },
    emotional: {
      weak: `
        bhagwan ~4 bhala/dua`,
      plain: `
        baba/pandit/guru ~4 ghante/kaam/upay/samadhan
        sauten/souten/sautan/kalesh/chutkara/vashikaran/nimbu
        pyar ~2 dhoka/dhokha
        puja/pooja ~2 $
        gaushala/anath/bhookhe/mandir/langar/cow ~10 daan/dan/donate/PAYID/$
        operation/ilaj/ilaaj/cancer ~10 madad/help/daan/$/PAYID
        daan/donate ~4 kar*/bhej*/de
        mazdoor/gareeb/garib ~4 aadmi/hu/student`,
      strong: `
        tantra/tantrik/tona/totka/vashikaran/kala_jadu/kaala_jadu/sautan
        dosh/grah/kundli/kundali ~10 upay/pooja/puja/havan/hawan/samadhan/nivaran/shaadi
        puja/pooja/havan/hawan/kavach/yagya ~8 $/samagri/dakshina/bhej*/dena
        baba/guruji/guru_ji/guru_ma/pandit_ji/jyotish* ~8 samadhan/upay/puja/pooja/dakshina/$/kavach/kundli/darshan`,
    },
    lure: {
      plain: `
        malik/owner ~2 bahar/videsh/america/dubai/canada/london
        caretaker
        pehla/pahla rent/kiraya
        bina exam/pariksha
        bayana/peshgi
        jo pehle ~4 usi/milega/uski
        navy/fauj/army/airforce ~6 hu/hoon/posting
        number badva*
        daakhila/dakhila/admission ~4 mil ~1 sakta/jayega
        result ke baad
        seat ki tension/chinta
        churan/lep/tel/kadha ~8 dard/din/bhaga*
        aakhri/aakhiri/last ~1 DIGIT piece/dibbe/seat
        aadhe daam/rate
        booking ~3 khali
        malik direct/seedha
        molbhav nahi
        jo ~1 link/request/parchi ~1 aaye
        bina guarantee/jamanat
        gate pass ~6 $
        token ~3 $/MONEY/lagta
        chabi/chaabi ~3 milne/mil*
        listing hata/hta
        kaam/kam baad ~2 paisa
        pehle/phle kaam/kam
        trusted seller
        3/char/chaar/DIGIT log ~3 puch/line
        jad ~2 khatam/se
        sugar/diabetes/cancer/ghutne/motapa/wajan ~8 khatam/gayab/theek/ilaj/dawa/din
        army/fauji/fouji/cisf/posting/cantt
        loot ~3 lo/offer/sale
        $ ~2 $ ~4 only/sirf/sale/offer
        only prepaid
        clearance/closing sale
        cod ~2 nahi
        dekhne ~3 pehle/zarurat
        flat/room/makan/ghar ~10 advance/token/refundable
        setting/quota/donation ~4 hai/se/admission/seat
        seat/admission ~6 pakka/pakki/token/quota
        dubai/canada/gulf/saudi/qatar/videsh/foreign ~8 kaam/job/salary/visa/naukri/sponsor
        visa ~6 pakka/guarantee/ready/jama/medical
        diamond*/uc/topup/skin* ~6 sirf/free/only/$
        sarkari ~ naukri/job ~6 pakki/pakka/$
        scholarship/chhatravritti ~8 $/select/registration
        paper ~2 leak
        proof chahiye
        first come
        olx`,
    },
    account_lure: {
      plain: `
        payment/paisa/paise ~2 tere/mere/aapke/apke account
        account/acount ~2 de_do/do/dena/chahiye ~8 NUM/MONEY
        kirae/kiraye/rent ~1 pe ~1 account/khata
        vote ~4 kar*/do/dena/de_do/krna/kr/link
        account/khata/atm ~5 rent/kiraye/kiraya/commission/kit
        mere/tere/apne account ~4 aa/aaye/aayega ~8 rakh*/commission/cash
        insta*/facebook/whatsapp/account ~5 copyright/report/delete/violation
        insta*/whatsapp/facebook/account ~6 login/khul/chal/lock ~6 code/otp/ank
        contest`,
    },
    topic: {
      weak: `
        rent/kiraya/kiraye/chabi/agreement/owner/caretaker
        paisa/paise/payment/kharcha/nakad/cash/MONEY/rakam
        khata/khate/account/acount/aadhar/adhar
        list/training/candidate/salary/job
        app/code/notification
        booking/hotel/voucher/room
        ashram/shraddha/sugar/vaid
        guna/salah
        loan/invest*/nivesh/munafa/profit/crypto/trading/ipo/demat
        parcel/courier/custom/refund/subsidy/lottery/inaam/bonus/cashback
        otp/kyc/cvv/mpin
        naukri/bharti/task/kamai/commission
        yojana/kist/pension/scholarship/policy/challan
        visa/passport/videsh
        puja/pooja/jyotish/tantrik/daan
        police/court/warrant/thana
        aapka_number/apka_number
        diamond*/topup/redeem
        profile`,
    },
    trouble: {
      weak: `
        atak*/ruk*/fas* ~2 hai/h/gaya/gya
        pending`,
      plain: `
        bill clear/jama nahi/nhi
        bill ~5 update
        update ~ nahi/nhi/na ~2 hua/hai/h
        kyc ~4 pending/pura/expire
        subsidy/refund/pension/kist ~5 atk*/atak*/ruk*/fas*/pending
        purani/purane ~2 policy/number
        gift/parcel ~5 custom*/ruk*
        request ~4 dali ~6 nahi/cancel`,
    },
    hook: {
      weak: `
        bhej/add/jod/karwa/karva/krwa/samjha du/doon/dun
        interested/intrested
        chahoge/chahenge/chahegi/chahoge
        bolo to/toh/ho
        bol karna/krna
        btaye/batayein/bataiye END
        ho to btaye/batao/bataiye/msg/bta/bata/btana/batana
        hai/h to btao/batana/btana
        baat kar*/krna ~3 acha/accha/chahta/chahti/hai_to
        kya aap ~6 sakte/sakti/chahte/chahti
        krenge/karenge/karoge END`,
    },
  },
  legitimacy: {
    warns: {
      strong: `
        fake hai/h/he/hota/call/msg
        bach ke ~1 rehna/raho/rahe/rahna
        mat uthana/kholna/dabana/dalna/dena
        ud/chale ~1 gaye ~3 kal/uske/uski/mere/pichle
        jhansa/jhanse/thagi/thag/thug
        naam pe/par ~8 aaye/kaat/mat
        bolke/bankar/ban_kar ~6 call/file/aa*/paise
        kisi ~2 na/mat/nahi ~ batayein/bataye/batana/share/dein/de
        share ~ na/mat/nahi
        kabhi ~4 nahi ~ maang*/mang*/puch*/pooch*
        savdhan/saavdhan/satark ~3 rah*/rehna
        1930
        paise/paisa ~3 na/mat/nahi ~ de/dein/dena/bhej*/lagta/lagenge
        seedha/sidha kaat/kat/cut
        door ~ reh*/raho
        kabhi ~3 mat/na
        fraud/scam ~4 hai/h/hota/se`,
    },
    no_action: {
      strong: `
        kuch ~ mat kijiye/karo
        dhyan ~ na ~ dein/de
        already ~3 ignore
        kar liya ~3 dhanyavad/ignore`,
      plain: `
        debit/credit hua
        koi ~ jaldi nahi
        jab ~ time mile`,
    },
    own_channel: {
      strong: `
        otp/pin/code ~2 driver ko
        driver ko ~2 pin/otp/code
        delivery ~3 ko ~2 otp/code
        otp/code ~3 delivery ~1 man/boy/vale/wale
        branch/counter/dukan/dukaan/store ~4 le/aa*/par/pe/se/me/mein/jama
        apni/apne ~2 app/branch
        najdiki/nazdiki/pass_ki
        id ~2 leke
        delivery ~ time/code
        haath me lene
        notice board
        cod`,
      plain: `
        society/maintenance/secretary/principal
        apni app
        app ya ~4 dukan/dukaan
        counter/classroom/workshop/dukan/dukaan
        office me ~1 jama
        bus stand
        school/ptm/report_card
        appointment/clinic/warranty
        driver ~3 pin/ko
        order/parcel ~4 aayega/pahunch*/delivered
        diary/ptm/notes/homework/exam
        cylinder book`,
    },
    terms: {
      strong: `
        stop ~3 bhej*/bheje*/reply
        t_c/terms ~2 apply`,
      plain: `
        flat # off`,
    },
    no_charge: {
      weak: `
        koi ~ charge/fees/paisa ~2 nahi/nhi`,
    },
    everyday: {
      weak: `
        yaar/abe/oye/haha*
        khana/chai/doodh/film/match/biryani/popcorn/gym/notes/office`,
      plain: `
        thodi der ~1 me
        call karta/karti/krta/krti hu
        le mera naya
        same no/number
        sab ko/sabko
        job chod/chhod
        kab/kb dega/degi/doge
        jo ~4 liye/diye the
        tune/tumne ~2 liye/li/lie
        udhar ~3 vapas/wapas/lauta*
        mere number pe ~8 dunga/dungi
        vala/wala theek
        petrol ke
        kat gaya yaar
        bhar di/diya/diye aaj
        bhar di aaj
        teri/tere/tera/tune/teko/tujhe
        location ~2 map
        le mera
        meeting me ~2 thodi/baad
        party de/deni/chahiye
        kya teri
        jo sir ne
        fees bhar di
        ghar pe koi
        aa paungi/paunga
        dekhne aa sakta/sakti
        mil gaye/gye/gaya/gya END
        mummy/papa/didi/sir/boss/ma_am/mausi/nani/dadi ne
        papa/mummy/didi ko
        same number/no
        apna hissa
        kal/parso vale/wale
        tune dekha/kiya/bola
        beta ~6 lena/rakhna/karna
        dawai/khana/fridge/cake/gaadi/chabi/momos/assignment/ppt/slide
        aadha aadha
        tera/teri/tere ~2 hissa/baad/jacket/guitar
        sham/shaam ~3 ghar/milte/aa
        ghar ~2 milte/pe/aa
        good morning`,
    },
    plain_reason: {
      plain: `
        naya/nayi guard/chaukidar/tenant/padosi
        kaam vali
        ladka aa jaega/jayega
        ka/ki/ke papa/mummy/pita/mata/dost/teacher/ma_am
        class teacher
        coaching/tuition/tution ~8 nahi/nhi/aa
        gate/niche/neeche ~3 khada/khadi/hu/hoon/aaya
        guard ~4 nahi/nhi/andar
        naya/nayi/nya shift
        flat/room NUM/DIGIT
        NUM/DIGIT me ~2 shift
        broker/padosi/guard ne
        ne ~2 number diya ~8 kaam/nal/khana/paani/kam
        plumber/electrician/mistri/carpenter/courier_wala/courier/painter
        packet/parcel ~4 de_du/de/rakh ~1 kya
        padosi/upar_wale/bagal_wale`,
    },
    fact: {
      plain: `
        MONEY/NUM aaye/aaya hain/hai
        $ ~2 aaye/aaya ~1 hain/hai
        order cancel ho
        meeting me ~1 thodi
        maintenance ke ~1 karan
        refund ~8 usi card/account
        premium ~4 mil
        raseed ~3 bheji
        meter reading
        lagenge aake/aakar
        khed hai
        emi ~6 katega/kategi
        camp kal
        cab aa ~1 gayi/gyi/rahi
        debit hua/hue
        jama hue/hua
        recharge safal/successful/ho_gaya
        ready hai
        service ho gayi/gai/gyi
        book ho gaya/gyi/gayi
        delivery par/pe $
        nikal ~1 gaya/gya
        shikayat ~4 band
        pnr ~4 confirm
        kul/available/avl balance/bal
        bill jama ~1 kar ~1 chuke
        theek/thik/repair ~1 ho_gaya/ho_gyi`,
    },
  },
};

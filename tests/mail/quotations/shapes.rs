//! The text that mail programs insert between a reply and the quoted mail: shapes found in real
//! mails, and words of many languages to generate other shapes.

/// The form of the quotation below a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quoting {
    /// `> ` before each line.
    Marked,
    /// Unchanged.
    Plain,
}

/// A shape with its name. `PB` means our address with a tag, `AL` the address of the player.
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    text: &'static str,
}

impl Shape {
    pub(crate) fn text(&self) -> String {
        filled(self.text)
    }
}

/// Our address as mail programs quote it.
const OURS: &str = "postboard+bmalaka1m1-abcdefghijklmnop@games.example.org";
/// The address of the player.
pub(crate) const THEIRS: &str = "alice@example.org";

pub(crate) fn filled(text: &str) -> String {
    text.replace("PB", OURS).replace("AL", THEIRS)
}

const fn shape(name: &'static str, text: &'static str) -> Shape {
    Shape { name, text }
}

pub(crate) const SHAPES: &[Shape] = &[
    // Header blocks.
    shape(
        "swedish",
        "Från: Postboard <PB>\nSkickat: den 2 mars 2026 10:00\nTill: AL\nÄmne: New game",
    ),
    shape("danish", "Fra: Postboard <PB>\nSendt: 2. marts 2026 10:00\nTil: AL\nEmne: New game"),
    shape(
        "norwegian",
        "Fra: Postboard <PB>\nSendt: mandag 2. mars 2026 10:00\nTil: AL <AL>\nEmne: New game",
    ),
    shape(
        "finnish",
        "Lähettäjä: Postboard <PB>\nLähetetty: maanantai 2. maaliskuuta 2026 10.00\nVastaanottaja: AL\nAihe: New game",
    ),
    shape(
        "polish",
        "Od: Postboard <PB>\nWysłano: poniedziałek, 2 marca 2026 10:00\nDo: AL\nTemat: New game",
    ),
    shape(
        "czech",
        "Od: Postboard <PB>\nOdesláno: pondělí 2. března 2026 10:00\nKomu: AL\nPředmět: New game",
    ),
    shape(
        "hungarian",
        "Feladó: Postboard <PB>\nElküldve: 2026. március 2., hétfő 10:00\nCímzett: AL\nTárgy: New game",
    ),
    shape(
        "russian",
        "От: Postboard <PB>\nОтправлено: 2 марта 2026 г. 10:00\nКому: AL\nТема: New game",
    ),
    shape(
        "ukrainian",
        "Від: Postboard <PB>\nНадіслано: понеділок, 2 березня 2026 р. 10:00\nКому: AL\nТема: New game",
    ),
    shape(
        "turkish",
        "Kimden: Postboard <PB>\nGönderildi: 2 Mart 2026 Pazartesi 10:00\nKime: AL\nKonu: New game",
    ),
    shape(
        "greek",
        "Από: Postboard <PB>\nΣτάλθηκε: Δευτέρα, 2 Μαρτίου 2026 10:00 πμ\nΠρος: AL\nΘέμα: New game",
    ),
    shape(
        "romanian",
        "De la: Postboard <PB>\nTrimis: luni, 2 martie 2026 10:00\nCătre: AL\nSubiect: New game",
    ),
    shape(
        "japanese",
        "差出人: Postboard <PB>\n送信日時: 2026年3月2日 10:00\n宛先: AL\n件名: New game",
    ),
    shape(
        "japanese with wide colons",
        "差出人：Postboard <PB>\n送信日時：2026年3月2日 10:00\n宛先：AL\n件名：New game",
    ),
    shape(
        "chinese",
        "发件人： Postboard <PB>\n发送时间： 2026年3月2日 10:00\n收件人： AL\n主题： New game",
    ),
    shape(
        "korean",
        "보낸 사람: Postboard <PB>\n보낸 날짜: 2026년 3월 2일 월요일 오전 10:00\n받는 사람: AL\n제목: New game",
    ),
    shape(
        "to first",
        "To: AL\nFrom: Postboard <PB>\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: New game",
    ),
    shape(
        "far recipient",
        "From: Postboard <PB>\nReply-To: Postboard <PB>\nOrganization: Postboard\nImportance: Normal\nDate: Monday, 2 March 2026 at 10:00\nTo: AL\nSubject: New game",
    ),
    shape(
        "decomposed",
        "Fra\u{30a}n: Postboard <PB>\nSkickat: den 2 mars 2026 10:00\nTill: AL\nA\u{308}mne: New game",
    ),
    shape(
        "one line",
        "*From:* Postboard <PB> *Date:* 2 March 2026 at 10:00 *To:* AL *Subject:* New game",
    ),
    shape(
        "one line in Danish",
        "Fra: Postboard <PB> Sendt: 2. marts 2026 10:00 Til: AL Emne: New game",
    ),
    shape(
        "bold",
        "*Från:* Postboard <PB>\n*Skickat:* den 2 mars 2026 10:00\n*Till:* AL\n*Ämne:* New game",
    ),
    shape(
        "wrapped values",
        "Fra: Postboard\n<PB>\nSendt: 2. marts 2026 10:00\nTil: alice\n<AL>\nEmne: New game, your turn: Malaka 1\nagainst bob",
    ),
    shape(
        "orange",
        "========================================\n\nMessage du : 02/03/2026 10:00\nDe : \"Postboard\" <PB>\nA : AL\nCopie à : \nSujet : New game",
    ),
    shape(
        "notes",
        "Postboard <PB>\n02.03.2026 10:00\n\nTo\nAL\ncc\n\nSubject\nNew game, your turn: Malaka 1 against bob",
    ),
    shape(
        "gmx",
        "Gesendet: Montag, 02. März 2026 um 10:00 Uhr\nVon: \"Postboard\" <PB>\nAn: AL\nBetreff: New game",
    ),
    shape(
        "t-online",
        "-----Original-Nachricht-----\nBetreff: New game\nDatum: 2026-03-02T10:00:00+0100\nVon: \"Postboard\" <PB>\nAn: \"AL\" <AL>",
    ),
    shape("hotmail", "Date: Mon, 2 Mar 2026 10:00:00 +0000\nSubject: New game\nFrom: PB\nTo: AL"),
    shape(
        "without a sender's address",
        "From: Postboard\nSent: Monday, March 2, 2026 10:00 AM\nTo: AL\nSubject: New game",
    ),
    shape(
        "without any address",
        "From: Postboard\nSent: Monday, March 2, 2026 10:00 AM\nSubject: New game",
    ),
    shape(
        "a line each paragraph",
        "Fra: Postboard <PB>\n\nSendt: 2. marts 2026 10:00\n\nTil: AL\n\nEmne: New game",
    ),
    shape(
        "values on their own lines",
        "From:\nPostboard <PB>\nSent:\nMonday, March 2, 2026 10:00 AM\nTo:\nAL\nSubject:\nNew game",
    ),
    // Signatures of programs.
    shape("iPhone", "Sent from my iPhone\n\nOn 2 Mar 2026, at 10:00, Postboard <PB> wrote:\n"),
    shape(
        "German iPhone",
        "Von meinem iPhone gesendet\n\nAm 02.03.2026 um 10:00 schrieb Postboard <PB>:\n",
    ),
    shape(
        "French iPhone",
        "Envoyé de mon iPhone\n\nLe 2 mars 2026 à 10:00, Postboard <PB> a écrit :\n",
    ),
    shape(
        "Danish iPad",
        "Sendt fra min iPad\n\nDen 2. mar. 2026 kl. 10.00 skrev Postboard <PB>:\n",
    ),
    shape(
        "Finnish iPhone",
        "Lähetetty iPhonesta\n\nPostboard <PB> kirjoitti 2.3.2026 kello 10.00:\n",
    ),
    shape(
        "Yahoo on Android",
        "Sent from Yahoo Mail on Android\n\n  On Mon, 2 Mar 2026 at 10:00, Postboard<PB> wrote:   ",
    ),
    shape(
        "Proton",
        "Sent with Proton Mail secure email.\n\nOn Monday, March 2nd, 2026 at 10:00, Postboard <PB> wrote:\n",
    ),
    shape(
        "Mail for Windows",
        "Sent from Mail for Windows\n\nFrom: Postboard\nSent: Monday, March 2, 2026 10:00\nTo: AL\nSubject: New game",
    ),
    shape(
        "Outlook for Android",
        "Get Outlook for Android<https://aka.ms/AAb9ysg>\n________________________________\nFrom: Postboard <PB>\nSent: Monday, March 2, 2026 10:00:00 AM\nTo: AL <AL>\nSubject: New game",
    ),
    shape(
        "Outlook for iOS, wrapped",
        "Get Outlook for iOS\n<https://aka.ms/o0ukef>\n________________________________\nFrom: Postboard <PB>\nSent: Monday, March 2, 2026\nTo: AL\nSubject: New game",
    ),
    shape(
        "Spanish Outlook",
        "Obtener Outlook para Android\n\nDe: Postboard <PB>\nEnviado: lunes, 2 de marzo de 2026 10:00\nPara: AL\nAsunto: New game",
    ),
    shape("tracker", "ᐧ\n\nOn Mon, Mar 2, 2026 at 10:00 AM Postboard <PB> wrote:\n"),
    shape(
        "Samsung",
        "Sent from my Galaxy\n\n\n-------- Original message --------\nFrom: Postboard <PB>\nDate: 02/03/2026 10:00 (GMT+01:00)\nTo: AL\nSubject: New game",
    ),
    shape(
        "BlackBerry",
        "Sent from my BlackBerry 10 smartphone.\n  Original Message  \nFrom: Postboard\nSent: Monday, March 2, 2026 10:00 AM\nTo: AL\nReply To: PB\nSubject: New game",
    ),
    shape(
        "Swedish Android",
        "Skickat från min Android-telefon\n\nFrån: Postboard <PB>\nSkickat: den 2 mars 2026 10:00\nTill: AL\nÄmne: New game",
    ),
    shape("Japanese iPhone", "iPhoneから送信\n\n2026/03/02 10:00、Postboard <PB>のメール:\n"),
    shape(
        "Chinese iPhone",
        "发自我的iPhone\n\n------------------ 原始邮件 ------------------\n发件人: \"Postboard\" <PB>;\n发送时间: 2026年3月2日(星期一) 上午10:00\n收件人: \"alice\"<AL>;\n主题: New game",
    ),
    // Attributions above `>`.
    shape("Chinese", "Postboard <PB> 于2026年3月2日周一 10:00写道：\n"),
    shape("wrapped inside the bracket", "2026-03-02 10:00 GMT+01:00 Postboard <\nPB>:\n"),
    shape("over three lines", "man. 2. mars 2026 kl. 10:00 skrev Postboard <\nPB\n>:\n"),
    shape(
        "the address in the first",
        "Postboard <PB> ezt írta (időpont: 2026.\nmárc. 2., H, 10:00):\n",
    ),
    shape("without a colon", "2026-03-02 10:00 GMT+01:00 Postboard <PB>\n"),
    shape("without a date", "Postboard wrote:"),
    shape("without a date in German", "Postboard schrieb:"),
    shape("Italian", "Il giorno lun 2 mar 2026 alle ore 10:00 Postboard <\nPB> ha scritto:\n"),
    shape("Russian", "пн, 2 мар. 2026 г. в 10:00, Postboard <PB>:\n"),
    shape("Korean", "2026년 3월 2일 (월) 오전 10:00, Postboard <PB>님이 작성:\n"),
    shape("Yahoo with dashes", "--- On Mon, 3/2/26, Postboard <PB> wrote:\n"),
    // Attributions above text without marks.
    shape("hat geschrieben", "Am 02.03.2026 um 10:00 hat Postboard <PB> Folgendes geschrieben:\n"),
    shape(
        "hat geschrieben, wrapped",
        "Am 02.03.2026 um 10:00\nhat Postboard <PB>\nFolgendes geschrieben:\n",
    ),
    shape("napisał", "W dniu 02.03.2026 o 10:00, użytkownik Postboard <PB> napisał:\n"),
    shape(
        "heeft geschreven",
        "Op ma 2 mrt. 2026 om 10:00 heeft Postboard <PB> het volgende geschreven:\n",
    ),
    shape("ha scritto", "Il giorno 2 mar 2026, alle ore 10:00, Postboard <PB> ha scritto:\n"),
    shape("skrev", "2 mars 2026 kl. 10:00 skrev Postboard <PB>:\n"),
    shape("Taiwanese", "Postboard <PB> 於 2026年3月2日 週一 上午10:00寫道：\n"),
    shape("Zoho", "---- On Mon, 02 Mar 2026 10:00:00 +0100 Postboard <PB> wrote ----\n"),
    shape("Zoho, wrapped", "---- On Mon, 02 Mar 2026 10:00:00 +0100 Postboard\n<PB> wrote ----\n"),
    shape("dashes without a date", "---- Postboard wrote ----\n"),
    shape(
        "torn address",
        "On Mon, Mar 2, 2026 at 10:00 AM Postboard <\npostboard+bmalaka1m1-abcdefghijklmnop\n@games.\nexample.org> wrote:\n",
    ),
    shape("with mailto", "On Mar 2, 2026, at 10:00 AM, Postboard <PB<mailto:PB>> wrote:\n\n"),
    // Separators.
    shape(
        "Mail original",
        "----- Mail original -----\nDe: \"Postboard\" <PB>\nÀ: AL\nEnvoyé: Lundi 2 Mars 2026 10:00:00\nObjet: New game",
    ),
    shape(
        "Mensagem original",
        "-------- Mensagem original --------\nDe : Postboard <PB>\nData: 02/03/2026 10:00 (GMT+00:00)\nPara: AL\nAssunto: New game",
    ),
    shape("Reply Message", "-----Reply Message-----\n"),
    shape(
        "bold separator",
        "*-------- Original Message --------*\n*From:* Postboard <PB>\n*Sent:* Monday, March 2, 2026\n*To:* AL\n*Subject:* New game",
    ),
    shape("forwarded", "Begin forwarded message:\n"),
    shape(
        "forwarded, plain",
        "Begin forwarded message:\n\nFrom: Postboard <PB>\nSubject: New game\nDate: 2 March 2026 at 10:00:00 GMT\nTo: AL\n",
    ),
    shape(
        "rule above bold",
        "------------------------------\n*From:* Postboard <PB>\n*Sent:* Monday, March 2, 2026\n*To:* AL\n*Subject:* New game",
    ),
    shape("rule of underscores", "________________________________\n"),
    shape(
        "rule and header",
        "________________________________\nVon: Postboard <PB>\nGesendet: Montag, 2. März 2026 10:00\nAn: AL\nBetreff: New game",
    ),
    shape(
        "all in one line",
        "-------- Original message --------From: Postboard <PB> Date: 02/03/2026  10:00  (GMT+01:00) To: AL Subject: New game ",
    ),
];

/// The words of a real or invented language.
#[derive(Debug)]
pub(crate) struct Language {
    pub(crate) name: &'static str,
    /// From, Sent, To, Subject.
    pub(crate) labels: [&'static str; 4],
    /// The word before the date of an attribution, and its verb.
    pub(crate) on: &'static str,
    pub(crate) wrote: &'static str,
    /// A date.
    pub(crate) day: &'static str,
}

const fn language(
    name: &'static str,
    labels: [&'static str; 4],
    on: &'static str,
    wrote: &'static str,
    day: &'static str,
) -> Language {
    Language { name, labels, on, wrote, day }
}

pub(crate) const LANGUAGES: &[Language] = &[
    language("English", ["From", "Sent", "To", "Subject"], "On", "wrote", "Monday, March 2, 2026"),
    language(
        "German",
        ["Von", "Gesendet", "An", "Betreff"],
        "Am",
        "schrieb",
        "Montag, 2. März 2026",
    ),
    language("French", ["De", "Envoyé", "À", "Objet"], "Le", "a écrit", "lundi 2 mars 2026"),
    language(
        "Spanish",
        ["De", "Enviado el", "Para", "Asunto"],
        "El",
        "escribió",
        "lunes, 2 de marzo de 2026",
    ),
    language(
        "Portuguese",
        ["De", "Enviada em", "Para", "Assunto"],
        "Em",
        "escreveu",
        "segunda-feira, 2 de março de 2026",
    ),
    language(
        "Italian",
        ["Da", "Inviato", "A", "Oggetto"],
        "Il",
        "ha scritto",
        "lunedì 2 marzo 2026",
    ),
    language(
        "Dutch",
        ["Van", "Verzonden", "Aan", "Onderwerp"],
        "Op",
        "schreef",
        "maandag 2 maart 2026",
    ),
    language("Swedish", ["Från", "Skickat", "Till", "Ämne"], "Den", "skrev", "måndag 2 mars 2026"),
    language("Danish", ["Fra", "Sendt", "Til", "Emne"], "Den", "skrev", "2. marts 2026"),
    language("Norwegian", ["Fra", "Sendt", "Til", "Emne"], "", "skrev", "mandag 2. mars 2026"),
    language(
        "Finnish",
        ["Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"],
        "",
        "kirjoitti",
        "maanantai 2. maaliskuuta 2026",
    ),
    language("Icelandic", ["Frá", "Sent", "Til", "Efni"], "Þann", "skrifaði", "mán., 2. mars 2026"),
    language(
        "Estonian",
        ["Saatja", "Saadetud", "Adressaat", "Teema"],
        "Kuupäeval",
        "kirjutas",
        "E, 2. märts 2026",
    ),
    language(
        "Latvian",
        ["No", "Nosūtīts", "Kam", "Tēma"],
        "",
        "rakstīja",
        "pirmdiena, 2026. gada 2. marts",
    ),
    language("Lithuanian", ["Nuo", "Išsiųsta", "Kam", "Tema"], "", "rašė", "2026 m. kovo 2 d."),
    language(
        "Polish",
        ["Od", "Wysłano", "Do", "Temat"],
        "W dniu",
        "napisał(a)",
        "poniedziałek, 2 marca 2026",
    ),
    language("Czech", ["Od", "Odesláno", "Komu", "Předmět"], "Dne", "napsal", "po 2. 3. 2026"),
    language("Slovak", ["Od", "Odoslané", "Komu", "Predmet"], "Dňa", "napísal", "po 2. marca 2026"),
    language(
        "Slovene",
        ["Od", "Poslano", "Za", "Zadeva"],
        "V",
        "je napisal",
        "ponedeljek, 2. marec 2026",
    ),
    language(
        "Croatian",
        ["Šalje", "Poslano", "Prima", "Predmet"],
        "Dana",
        "je napisao",
        "pon, 2. ožu 2026.",
    ),
    language(
        "Serbian",
        ["Од", "Послато", "За", "Наслов"],
        "Дана",
        "је написао",
        "пон, 2. мар 2026.",
    ),
    language("Bulgarian", ["От", "Изпратено", "До", "Относно"], "На", "написа", "пн, 2.03.2026 г."),
    language("Russian", ["От", "Отправлено", "Кому", "Тема"], "", "написал", "пн, 2 мар. 2026 г."),
    language("Ukrainian", ["Від", "Надіслано", "Кому", "Тема"], "", "пише", "пн, 2 бер. 2026 р."),
    language(
        "Hungarian",
        ["Feladó", "Elküldve", "Címzett", "Tárgy"],
        "",
        "ezt írta",
        "2026. márc. 2., H",
    ),
    language(
        "Romanian",
        ["De la", "Trimis", "Către", "Subiect"],
        "Pe",
        "a scris",
        "lun., 2 mar. 2026",
    ),
    language("Greek", ["Από", "Στάλθηκε", "Προς", "Θέμα"], "Στις", "έγραψε", "Δευ 2 Μαρ 2026"),
    language(
        "Turkish",
        ["Kimden", "Gönderildi", "Kime", "Konu"],
        "",
        "şunu yazdı",
        "2 Mar 2026 Pzt",
    ),
    language(
        "Albanian",
        ["Nga", "Dërguar", "Për", "Subjekti"],
        "Më",
        "shkroi",
        "e hënë, 2 mars 2026",
    ),
    language(
        "Catalan",
        ["De", "Enviat", "Per a", "Assumpte"],
        "El",
        "va escriure",
        "dl., 2 de març 2026",
    ),
    language(
        "Basque",
        ["Nork", "Bidalia", "Nori", "Gaia"],
        "",
        "erabiltzaileak hau idatzi du",
        "2026(e)ko mar. 2(a), al.",
    ),
    language(
        "Welsh",
        ["Oddi wrth", "Anfonwyd", "At", "Pwnc"],
        "Ar",
        "ysgrifennodd",
        "Llun, 2 Mawrth 2026",
    ),
    language("Irish", ["Ó", "Seolta", "Chuig", "Ábhar"], "Ar", "scríobh", "Dé Luain 2 Márta 2026"),
    language("Hebrew", ["מאת", "נשלח", "אל", "נושא"], "בתאריך", "כתב", "יום ב׳, 2 במרץ 2026"),
    language("Arabic", ["من", "تم الإرسال", "إلى", "الموضوع"], "في", "كتب", "الاثنين، ٢ مارس ٢٠٢٦"),
    language(
        "Persian",
        ["از", "ارسال شده", "به", "موضوع"],
        "در تاریخ",
        "نوشت",
        "دوشنبه ۱۱ اسفند ۱۴۰۴",
    ),
    language("Hindi", ["से", "भेजा गया", "को", "विषय"], "", "ने लिखा", "सोम, 2 मार्च 2026"),
    language("Thai", ["จาก", "ส่งเมื่อ", "ถึง", "เรื่อง"], "เมื่อ", "เขียนว่า", "จันทร์ 2 มี.ค. 2569"),
    language(
        "Vietnamese",
        ["Từ", "Đã gửi", "Đến", "Chủ đề"],
        "Vào",
        "đã viết",
        "Th 2, 2 thg 3, 2026",
    ),
    language(
        "Indonesian",
        ["Dari", "Dikirim", "Kepada", "Subjek"],
        "Pada",
        "menulis",
        "Sen, 2 Mar 2026",
    ),
    language(
        "Malay",
        ["Daripada", "Dihantar", "Kepada", "Subjek"],
        "Pada",
        "menulis",
        "Isn, 2 Mac 2026",
    ),
    language(
        "Swahili",
        ["Kutoka", "Ilitumwa", "Kwa", "Mada"],
        "Mnamo",
        "aliandika",
        "Jumatatu, 2 Machi 2026",
    ),
    language(
        "Japanese",
        ["差出人", "送信日時", "宛先", "件名"],
        "",
        "のメール",
        "2026年3月2日(月)",
    ),
    language("Chinese", ["发件人", "发送时间", "收件人", "主题"], "于", "写道", "2026年3月2日周一"),
    language(
        "Korean",
        ["보낸 사람", "보낸 날짜", "받는 사람", "제목"],
        "",
        "님이 작성",
        "2026년 3월 2일 (월)",
    ),
    // Invented languages.
    language(
        "Zumbian",
        ["Krol", "Vendix", "Zu tar", "Plimo"],
        "Ek",
        "gromlit",
        "tirday 2 zan 2026",
    ),
    language("Elvish", ["Ilmë", "Tuvë'n", "Na", "Quetta-n"], "", "tencë sin", "2. Súlimë 2026"),
    language("Runic", ["ᚠᚱᚨ", "ᛋᛖᚾᛞ", "ᛏᛁᛚ", "ᛖᛗᚾ"], "ᛟᚾ", "ᛋᚲᚱᛖᚠ", "2 ᛗᚨᚱ 2026"),
    language("Brr", ["Brrk", "Xt", "Qqw", "Zzyzx"], "Hhn", "pfft", "2/3/2026"),
    language("Georgic", ["Tkven", "Gagza vna", "Mi", "Tema ti"], "", "dats era", "2 marti 2026"),
];

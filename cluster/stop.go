package cluster

// stopWords end a phrase: words of grammar, which say nothing about a subject.
const stopWords = `
a about above across after again against all almost alone along already also although always am among amongst an and
another any anything are as at away be became because become becomes been before behind being below beside besides
between beyond both but by can cannot could did do does doing done down due during each either else enough etc even ever
every everything few for from further furthermore get gets give gives given go goes had has have having he hence her here
hers herself him himself his how however i if in indeed instead into is it its itself just least less like made mainly
make makes many may me meanwhile might mine more moreover most mostly much must my myself namely near nearly neither
never nevertheless no nobody none nor not nothing now nowhere of off often on once one ones only onto or other others
otherwise our ours out over overall own per perhaps please put quite rather re really regarding respectively same say
see seem seemed seems several she should since so some somehow something sometimes somewhere still such take takes than
that the their theirs them themselves then thence there thereby therefore therein these they this those though three
through throughout thus till to together too toward towards two under unless until up upon us use used uses using
usually various versus very via was we well were what whatever when whenever where whereas wherever whether which while
who whoever whole whom whose why will with within without would yes yet you your yours
first second third four five six seven eight nine ten hundred thousand ii iii iv ie eg al et vs cf
http https www com org url github mg kg ml mm cm km nm hz khz mhz ghz db ci sd ns pp
embase medline pubmed cochrane
`

// paperWords are the vocabulary of papers as such, in any field: they neither begin nor
// end a term. Chosen by hand among the words that one abstract in a hundred holds in
// computer science and in biomedicine alike, and their forms.
const paperWords = `
field favor favour top half uniform eligible eligibility plausible problematic stronger minimal
ability able absence abstract accepted access accord according account accurate accurately achievable achieve
achieved achieving acknowledge acm across addition additional additionally address addressed addressing adequate
adopt adopted advance advanced advantage affect affected affecting aforementioned aim aimed allow allowed allowing
alternative amongst amount analyse analysed analyze analyzed analyzing anticipated apparent appealing appear
appeared appears applicable application applied apply applying approach appropriate approximately april arise
arising art article aspect assess assessed assessing assessment associated assume assumed attempt attention
attractive august author available average avoid avoiding aware background based baseline basic basis behave
benchmark benefit best better broad broadly build building built call called came capability capable carried case
cause caused central certain challenge challenging characteristic characterize characterized choice clear clearly
collected combination combine combined combining come comes coming common commonly comparable compare compared
comparing comparison competitive complete completely comprehensive concept conclude conclusion condition conduct
conducted confidence confirm confirmed consider considerable considerably considered considering consist consistent
consistently consisting constitute contain contained containing contemporary context contrast contribute
contribution controversial conventional copyright corresponding create created creating critical crucial current
currently cutting-edge data dataset date day deal december decrease decreased decreases deeper define defined
degree demand demonstrably demonstrate demonstrated demonstrating denote depend dependent depending derive derived
describe described describing design designed desirable desired despite detail detailed detect detected determine
determined determining develop developed developing development differ difference different differently difficult
difficulty direct directly discovered discuss discussed discussion distinct diverse easily easy effective
effectively effectiveness efficacy efficiency efficient efficiently effort eliminate elsevier elucidate elusive
emerge emerged emerging empirical empirically employ employed employing enable enabled enabling encourage end
end-to-end enhance enhanced enhancing enough ensure ensuring entire entirely especially essential establish
established estimate estimated evaluate evaluated evaluating evaluation evidence examination examine examined
examining example excellent exhibit exist existing expect expected experiment experimental experimentally explain
exploit exploiting explore explored exploring express extended extensive extensively extent extremely facilitate
fact fail fairly far feasibility feasible february final finally find finding focus focused focusing follow
followed following formulate foster found framework fruitful full fully fundamental future gain gap gather general
generally generate generated generating generic github given goal good great greater greatly growing handle hazard
help helpful high high-level high-quality higher highest highlight highly hitherto hour hypothesize idea ideal
identification identified identify identifying ieee illustrate illustrated impact implement implementation
implemented implication imply importance important importantly improve improved improvement improves improving
in-depth inadequate include included including inconsistent incorporate incorporating increase increased increases
increasing increasingly indicate indicated indicating induced influence inform information inherent initial
initially insight inspired insufficient integrate integrated integrating intend interest interesting interval
introduce introduced introducing introduction investigate investigated investigating investigation involve involved
involves involving issue item january july june key kind know known lack large large-scale largely larger largest
last latter lay lead leading level levels leverage leveraging light limit limitation limited literature little long
long-standing longer low low-level low-quality lower lowest made main maintain maintaining major majority making
manner march maximize may mean means measure measured measurement measuring mechanistically mention method
methodology minimize moderate modern modified month multiple necessary need needed negative new newly non-trivial
nontrivial normal notable notably note novel novelty november number numerous observation objective observe observed obtain
obtained obtaining occur occurrence occurring occurs october odds offer offering old open opportunity opposed order
original outcome outline outlined outperform outperformed outperforming outperforms overcome overview paper
paradigm part partially participant participate particular particularly past people perform performance performed
performing perspective phenomenon pipeline play poor poorly popular possibility possible possibly potential
potentially powerful practical practically practice precise precisely predict predicted preliminary presence
present presented presenting previous previously primarily primary principle problem procedure produce produced
producing prominent promising promote propose proposed proposing prove proven provide provided providing publicly
published purpose quality quantify quantitative quantitatively quickly raise range ranging rapid rapidly ratio
reach ready real real-world recent recently recognize recognized reduce reduced reducing reduction regard relate
related relation relationship relative relatively relevant reliable reliably rely relying remain remaining remains
remarkable remarkably repeat report reported reporting represent representing require required requirement requires
research researcher reserved resolve respect respective respond rest result resulting retain reveal revealed review
rich rights rigorous role roles satisfy scenario scheme scope score seek select selected separate september series
serve served set setting share shared shed short show showcase showed showing shown significance significant
significantly similar simple simply simultaneously single size slightly small small-scale smaller so-called
solution solve solved solving sophisticated sota special specific specifically specified springer stage standard
start state state-of-art state-of-the-art statement step straightforward strength strong strongly studied study
studying subject subsequent subsequently substantial substantially succeed success successful successfully suffer
sufficient sufficiently suggest suggested suggesting suggests suitable summarize summary superior supplementary
supported supporting surprising surprisingly tailored take taken target task technique tend term tested theoretical
theoretically thereof thorough thoroughly thought today total traditional traditionally true try type typical
typically ultimately unable unaffected unclear underlying understand understanding understood unexplored unified
unique unknown unlike useful utility utilize utilized utilizing valid validate validated validation validity
valuable value variability variable variant variation varied variety vary varying version vital way wealth week
well-known whereby wide wide-ranging widely widespread wiley work worldwide worse worst year yield yielded yielding
`

// paperKinds are the kinds of papers that may name a theme though they end in a word of
// papers.
const paperKinds = `systematic_review`

// modelOrganisms are what much of biology is done on: they mostly say where, not what of.
const modelOrganisms = `yeast drosophila drosophila_melanogaster zebrafish xenopus arabidopsis arabidopsis_thaliana
saccharomyces_cerevisiae schizosaccharomyces_pombe escherichia_coli bacillus_subtilis caenorhabditis_elegans`

// wideWords say too little alone to be in a label: whom or what a study looks at, and
// what comes with a paper.
const wideWords = `
care disorder disease scale severity rate test trial
age men man women woman boy girl adult elderly patient population mouse mice rat rodent animal human body
code software website repository time model system function structure process index period outcome case
intervention criteria criterion incidence prevalence dynamic equation theory simulation
topic content inclusion exclusion definition proportion guideline knowledge
cohort bias cost-effectiveness systematic proof theorem lemma discovery explaining effect association treatment complication risk strain gene random
southern northern eastern western map boundary diagnosis specificity sensitivity
isolate survey country household follow-up questionnaire interview respondent predictor publication reviewer appraisal
laboratory specimen assay polymerase_chain_reaction elisa immunoassay immunohistochemistry vivo vitro subgroup enrollment registry keyword project tool experience symptom class rule sense sum implementing
space line energy transition property interaction product computation algorithm architecture module network
`

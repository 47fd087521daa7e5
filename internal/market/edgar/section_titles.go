package edgar

// The items of the forms by their SEC names: part, number, title, and other beginnings of the title that
// filers use. Items that are now reserved had contents in older filings.

// Form 10-K, general instructions and items, as amended to 2023 (1C, 9C).
const annualItems = `
I|1|Business|description of business
I|1A|Risk Factors
I|1B|Unresolved Staff Comments
I|1C|Cybersecurity
I|2|Properties|description of property|property
I|3|Legal Proceedings
I|4|Mine Safety Disclosures|submission of matters to a vote|removed and reserved|mine safety
II|5|Market for Registrant’s Common Equity, Related Stockholder Matters and Issuer Purchases of Equity Securities|market for registrants common|market for the registrants|market for our common|market for common|market for company|market for the company
II|6|[Reserved]|selected financial data|selected consolidated financial data|selected historical
II|7|Management’s Discussion and Analysis of Financial Condition and Results of Operations|managements discussion|management discussion and analysis
II|7A|Quantitative and Qualitative Disclosures About Market Risk|quantitative and qualitative disclosure|qualitative and quantitative disclosure
II|8|Financial Statements and Supplementary Data|financial statements and supplemental|financial statements and supplementary|consolidated financial statements and supplementary
II|9|Changes in and Disagreements with Accountants on Accounting and Financial Disclosure|changes in and disagreements|changes and disagreements|disagreements with accountants
II|9A|Controls and Procedures|disclosure controls and procedures
II|9B|Other Information
II|9C|Disclosure Regarding Foreign Jurisdictions that Prevent Inspections|disclosure regarding foreign|disclosures regarding foreign
III|10|Directors, Executive Officers and Corporate Governance|directors executive officers|directors and executive officers|directors officers
III|11|Executive Compensation
III|12|Security Ownership of Certain Beneficial Owners and Management and Related Stockholder Matters|security ownership of
III|13|Certain Relationships and Related Transactions, and Director Independence|certain relationships
III|14|Principal Accountant Fees and Services|principal accountant|principal accounting fees|principal independent
IV|15|Exhibit and Financial Statement Schedules|exhibits and financial statement|exhibit and financial statement|exhibits financial statement|exhibits consolidated financial
IV|16|Form 10-K Summary|summary
`

// Form 10-Q.
const quarterlyItems = `
I|1|Financial Statements|condensed consolidated financial statements|consolidated financial statements|condensed financial statements|unaudited condensed|unaudited consolidated|interim financial statements
I|2|Management’s Discussion and Analysis of Financial Condition and Results of Operations|managements discussion|management discussion and analysis
I|3|Quantitative and Qualitative Disclosures About Market Risk|quantitative and qualitative disclosure|qualitative and quantitative disclosure
I|4|Controls and Procedures|disclosure controls and procedures
II|1|Legal Proceedings
II|1A|Risk Factors
II|2|Unregistered Sales of Equity Securities and Use of Proceeds|unregistered sales|unregistered sale|changes in securities|issuer purchases|purchases of equity|repurchases of
II|3|Defaults Upon Senior Securities|defaults upon senior|default upon senior|defaults on senior
II|4|Mine Safety Disclosures|submission of matters to a vote|removed and reserved|mine safety
II|5|Other Information
II|6|Exhibits|exhibits and reports on form 8 k|exhibit index
`

// Form 20-F.
const foreignItems = `
I|1|Identity of Directors, Senior Management and Advisers|identity of directors
I|2|Offer Statistics and Expected Timetable|offer statistics
I|3|Key Information
I|4|Information on the Company|information on the|information about the company
I|4A|Unresolved Staff Comments
I|5|Operating and Financial Review and Prospects|operating and financial review
I|6|Directors, Senior Management and Employees|directors senior management
I|7|Major Shareholders and Related Party Transactions|major shareholders
I|8|Financial Information
I|9|The Offer and Listing|offer and listing
I|10|Additional Information
I|11|Quantitative and Qualitative Disclosures About Market Risk|quantitative and qualitative disclosure|qualitative and quantitative disclosure
I|12|Description of Securities Other than Equity Securities|description of securities other
II|13|Defaults, Dividend Arrearages and Delinquencies|defaults dividend
II|14|Material Modifications to the Rights of Security Holders and Use of Proceeds|material modifications
II|15|Controls and Procedures|disclosure controls and procedures
II|16|[Reserved]
II|16A|Audit Committee Financial Expert
II|16B|Code of Ethics
II|16C|Principal Accountant Fees and Services|principal accountant
II|16D|Exemptions from the Listing Standards for Audit Committees|exemptions from the listing|exemption from the listing
II|16E|Purchases of Equity Securities by the Issuer and Affiliated Purchasers|purchases of equity securities|purchase of equity securities
II|16F|Change in Registrant’s Certifying Accountant|change in registrants|changes in registrants
II|16G|Corporate Governance
II|16H|Mine Safety Disclosure|mine safety
II|16I|Disclosure Regarding Foreign Jurisdictions that Prevent Inspections|disclosure regarding foreign|disclosures regarding foreign
II|16J|Insider Trading Policies|insider trading
II|16K|Cybersecurity
III|17|Financial Statements|consolidated financial statements
III|18|Financial Statements|consolidated financial statements
III|19|Exhibits
`

// Form 8-K, since its items were renumbered in August 2004.
const currentItems = `
|1.01|Entry into a Material Definitive Agreement|entry into
|1.02|Termination of a Material Definitive Agreement|termination of
|1.03|Bankruptcy or Receivership|bankruptcy
|1.04|Mine Safety – Reporting of Shutdowns and Patterns of Violations|mine safety
|1.05|Material Cybersecurity Incidents|material cybersecurity
|2.01|Completion of Acquisition or Disposition of Assets|completion of
|2.02|Results of Operations and Financial Condition|results of operations
|2.03|Creation of a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement of a Registrant|creation of
|2.04|Triggering Events That Accelerate or Increase a Direct Financial Obligation or an Obligation under an Off-Balance Sheet Arrangement|triggering events
|2.05|Costs Associated with Exit or Disposal Activities|costs associated|cost associated
|2.06|Material Impairments|material impairment
|3.01|Notice of Delisting or Failure to Satisfy a Continued Listing Rule or Standard; Transfer of Listing|notice of delisting
|3.02|Unregistered Sales of Equity Securities|unregistered sale
|3.03|Material Modification to Rights of Security Holders|material modification
|4.01|Changes in Registrant’s Certifying Accountant|changes in registrants|change in registrants
|4.02|Non-Reliance on Previously Issued Financial Statements or a Related Audit Report or Completed Interim Review|non reliance
|5.01|Changes in Control of Registrant|changes in control|change in control
|5.02|Departure of Directors or Certain Officers; Election of Directors; Appointment of Certain Officers; Compensatory Arrangements of Certain Officers|departure of|election of directors|appointment of|compensatory arrangements
|5.03|Amendments to Articles of Incorporation or Bylaws; Change in Fiscal Year|amendments to|amendment to
|5.04|Temporary Suspension of Trading Under Registrant’s Employee Benefit Plans|temporary suspension
|5.05|Amendments to the Registrant’s Code of Ethics, or Waiver of a Provision of the Code of Ethics|amendments to|amendment to
|5.06|Change in Shell Company Status|change in shell
|5.07|Submission of Matters to a Vote of Security Holders|submission of matters
|5.08|Shareholder Director Nominations|shareholder director|shareholder nominations
|6.01|ABS Informational and Computational Material
|6.02|Change of Servicer or Trustee
|6.03|Change in Credit Enhancement or Other External Support
|6.04|Failure to Make a Required Distribution
|6.05|Securities Act Updating Disclosure
|6.06|Static Pool
|7.01|Regulation FD Disclosure|regulation fd
|8.01|Other Events
|9.01|Financial Statements and Exhibits|financial statements
`
